/** In JSON that `JSON.stringify` made whole characters stand as they are; only halves are escaped. */
const HALF = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** Such JSON without halves of characters, which endpoints refuse: texts that were cut may end with one. */
export function wellFormed(json: string): string {
  return json.includes(String.raw`\ud`) ? json.replaceAll(HALF, String.raw`$1\ufffd`) : json
}
