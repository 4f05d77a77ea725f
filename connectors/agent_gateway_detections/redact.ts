/** What looks like a secret, and what takes its place. In order: the particular before the general. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[private key]'],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, '[api key]'],
  [
    /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|npm_\w{30,})/g,
    '[token]',
  ],
  [/\b(?:AKIA|ASIA|AROA)[A-Z0-9]{12,}\b/g, '[access key]'],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, '[jwt]'],
  [/\b(bearer|basic|token|api-token)\s+[\w.~+/=-]{8,}/gi, '$1 [credential]'],
  [/(\w+:\/\/[^\s:/@]{1,64}:)[^\s@/]{1,256}@/g, '$1[password]@'],
  [
    /((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|auth)["']?\s*[=:]\s*["']?)[^\s"'&;,]{3,}/gi,
    '$1[secret]',
  ],
  [/((?:^|\s)-{1,2}(?:password|token|secret|api-key)[= ])\S+/gi, '$1[secret]'],
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+\b/g, '[e-mail]'],
  [/\b(?=[\w+/-]{0,256}\d)(?=[\w+/-]{0,256}[A-Za-z])[A-Za-z0-9+_]{32,}={0,2}/g, '[long value]'],
]

/** The text without what looks like a secret, on one line, at most `longest` characters. */
export function redacted(text: string, longest: number): string {
  let clean = text.slice(0, longest * 4 + 1024).toWellFormed()
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement)
  clean = clean.replace(/[\s\p{Cc}\p{Cf}\u{e0000}-\u{e007f}]+/gu, ' ').trim()
  return clean.length <= longest ? clean : `${clean.slice(0, Math.max(0, longest - 1)).toWellFormed()}…`
}
