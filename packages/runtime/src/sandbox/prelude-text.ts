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

/** Functions that give globals, by group, as JSON; read in the engine when one of them is first used. */
export const LAZY_TEXT: string = JSON.stringify({
  url: URL_TEXT,
  text: `() => (${String(createTextCoding)})((${String(createUtf8)})())`,
  base64: String(createBase64),
  clone: String(createStructuredClone),
})

/** Global → group. */
const LAZY_GLOBALS: LazyGlobals = {
  URL: 'url',
  URLSearchParams: 'url',
  TextEncoder: 'text',
  TextDecoder: 'text',
  atob: 'base64',
  btoa: 'base64',
  structuredClone: 'clone',
}

/**
 * The script of a realm: `(optionsText, lazyText, hub?) => RealmControl`. The parts are moved into the engine as
 * the text of their functions, so none of them may use anything of its module.
 */
export const PRELUDE_TEXT: string = `(optionsText, lazyText, hub) =>
(${String(installRealm)})({${partsText()}}, ${JSON.stringify(LAZY_GLOBALS)}, { optionsText, lazyText, hub })`

function partsText(): string {
  return Object.entries(PARTS)
    .map(([name, part]) => `${name}: ${String(part)}`)
    .join(',\n')
}
