/** Characters that YAML does not allow even between double quotes: control characters, surrogates, non-characters. */
const FORBIDDEN = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/g
/** Those of them that stand alone: a pair of surrogates is one allowed character. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Texts that need no escape: most names, sentences and times. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A text between double quotes as YAML 1.2 and JSON both read it: nothing in it can end the scalar or the line. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  FORBIDDEN.lastIndex = 0
  return FORBIDDEN.test(json) ? escapeAll(json) : json
}

function escapeAll(json: string): string {
  let from = 0
  let escaped = ''
  for (const pair of json.matchAll(PAIR)) {
    escaped += escapeRun(json.slice(from, pair.index)) + pair[0]
    from = pair.index + pair[0].length
  }
  return escaped + escapeRun(json.slice(from))
}

function escapeRun(text: string): string {
  return text.replace(FORBIDDEN, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
