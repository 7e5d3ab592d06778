import type { Cause } from '@tutti/protocol'

/** Words of products about why they could not go on; the first that fits counts. */
const WORDS: [RegExp, Cause][] = [
  [
    /context[ _](length|window)|maximum context|prompt is too long|input is too long|context_overflow/i,
    'context_overflow',
  ],
  [/billing|payment required|credit balance|insufficient[ _](funds|balance|credit)/i, 'billing'],
  [/(?<!disk )quota|usage[ _]limit|(monthly|weekly|daily|spend(ing)?) limit/i, 'quota'],
  [/rate.?limit|too many requests|\b429\b/i, 'rate_limited'],
  [/overloaded|\b529\b|\b503\b|service unavailable/i, 'overloaded'],
  [
    /\bunauthorized\b|authenticat|invalid (x-)?api[ -]?key|api key (not|is)|not logged in|\blog ?in\b|(status|http|code|error)\W{0,3}40[13]\b|\b403 forbidden|set an auth method/i,
    'auth',
  ],
  [/max(imum)?[ _]?(session[ _])?turns/i, 'max_turns'],
  [
    /model[^.]{0,80}(not[ _]found|does not exist|not supported|unknown)|unknown model|model_not_found/i,
    'model_not_found',
  ],
  [/content[ _]?(filter|policy)|\brefusal\b/i, 'refused'],
  [
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|socket hang up|fetch failed|network error|connection (failed|refused|reset|closed)|stream disconnected|error sending request/i,
    'network',
  ],
  [/\b5\d\d\b[^.]{0,40}(error|server)|internal server error|server[ _]error|bad gateway/i, 'server_error'],
]

/** The cause that a message of a product is about; undefined when it does not say. */
export function causeOfWords(text: string): Cause | undefined {
  return WORDS.find(([words]) => words.test(text))?.[1]
}
