import { createCalls } from './prelude/calls.ts'
import { removeNondeterminism } from './prelude/determinism.ts'
import { createErrors } from './prelude/errors.ts'
import { createFanOut } from './prelude/fan-out.ts'
import { createHub } from './prelude/hub.ts'
import { createJsonText } from './prelude/json-text.ts'
import { fixLocale } from './prelude/locale.ts'
import { createLog } from './prelude/log.ts'
import { createPositions } from './prelude/positions.ts'
import { capturePrimordials } from './prelude/primordials.ts'
import { installRealm, type LazyGlobals, type RealmParts } from './prelude/realm.ts'
import { createTimers } from './prelude/timers.ts'
import { createTracking } from './prelude/tracking.ts'
import { createBase64 } from './prelude/web/base64.ts'
import { createSearchParams } from './prelude/web/search-params.ts'
import { createStructuredClone } from './prelude/web/structured-clone.ts'
import { createTextCoding } from './prelude/web/text-coding.ts'
import { createUrlHosts } from './prelude/web/url-host.ts'
import { createUrlRecords, percentEncode } from './prelude/web/url-record.ts'
import { createUrl } from './prelude/web/url.ts'
import { createUtf8 } from './prelude/web/utf8.ts'

const PARTS: RealmParts = {
  capturePrimordials,
  createHub,
  createPositions,
  createErrors,
  createTracking,
  createJsonText,
  createCalls,
  createFanOut,
  createTimers,
  createLog,
  removeNondeterminism,
  fixLocale,
}

const URL_TEXT = `() => {
  const utf8 = (${String(createUtf8)})()
  const encode = ${String(percentEncode)}
  const records = (${String(createUrlRecords)})(encode, (${String(createUrlHosts)})(encode))
  return (${String(createUrl)})(records, (${String(createSearchParams)})(utf8))
}`
const TEXT_CODING_TEXT = `() => (${String(createTextCoding)})((${String(createUtf8)})())`
const BASE64_TEXT = String(createBase64)

/** Made when first used: most scripts need none of them, and reading their text takes its time. */
const LAZY_GLOBALS: LazyGlobals = {
  URL: URL_TEXT,
  URLSearchParams: URL_TEXT,
  TextEncoder: TEXT_CODING_TEXT,
  TextDecoder: TEXT_CODING_TEXT,
  structuredClone: String(createStructuredClone),
  atob: BASE64_TEXT,
  btoa: BASE64_TEXT,
}

/**
 * The script of a realm: `(optionsText, hub?) => RealmControl`. The parts are moved into the engine as the text
 * of their functions, so none of them may use anything of its module.
 */
export const PRELUDE_TEXT: string = `(optionsText, hub) => (${String(installRealm)})({${partsText()}}, ${lazyText()}, optionsText, hub)`

function partsText(): string {
  return Object.entries(PARTS)
    .map(([name, part]) => `${name}: ${String(part)}`)
    .join(',\n')
}

function lazyText(): string {
  return `{__proto__: null, ...${JSON.stringify(LAZY_GLOBALS)}}`
}
