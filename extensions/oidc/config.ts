import { type Option, type Static, t } from '#core/config'

/** The options of one provider; `extra` is added to what each says of itself. */
function providerFields(extra: Partial<Option<never>>) {
  return {
    issuer_url: t.string({
      default: '',
      description: 'URL of the issuer, as in the claim `iss` of its tokens; its keys are found from there.',
      ...extra,
    }),
    issuer_ca_path: t.string({
      default: '',
      description: 'PEM file of the authority that vouches for the issuer; empty: those of the operating system.',
      ...extra,
    }),
    audience: t.string({ default: '', description: 'What the claim `aud` must have.', ...extra }),
    ignore_audience: t.boolean({ default: false, description: 'Takes tokens for any audience.', ...extra }),
    username_claim: t.string({
      default: '',
      description: 'The claim that becomes `auth.subject`; empty: `sub`.',
      ...extra,
    }),
    groups_claim: t.string({
      default: '',
      description: 'The claim that becomes `auth.membership`, a text or a list; tokens without it are refused.',
      ...extra,
    }),
  }
}

const provider = t.section({
  ...providerFields({}),
  ignore_issuer: t.boolean({ default: false, description: 'Does not compare the claim `iss`.' }),
  public_keys_file: t.string({
    default: '',
    description: 'JSON Web Key Set to take the keys from instead of asking the issuer; followed when it changes.',
  }),
})

/** The options of the `oidc` extension, with the Collector's keys. */
export const oidcConfig = t.section({
  attribute: t.string({
    default: 'authorization',
    minLength: 1,
    description: 'The header that carries the token after a scheme.',
  }),
  providers: t.list(provider, { default: [], description: 'Issuers whose tokens are taken.' }),
  ...providerFields({ deprecated: 'use `providers` instead' }),
})

export type OidcConfig = Static<typeof oidcConfig>
export type ProviderConfig = Static<typeof provider>

/** All providers: the one written without a list first. */
export function providersOf(config: OidcConfig): readonly ProviderConfig[] {
  const { issuer_url, issuer_ca_path, audience, ignore_audience, username_claim, groups_claim } = config
  const single = { issuer_url, issuer_ca_path, audience, ignore_audience, username_claim, groups_claim }
  const written = Object.values(single).some(value => value !== '' && value !== false)
  return written ? [{ ...single, ignore_issuer: false, public_keys_file: '' }, ...config.providers] : config.providers
}

/** Faults across the options, in the Collector's words where it has them. */
export function* checkOidc(config: OidcConfig): Iterable<string> {
  const providers = providersOf(config)
  if (providers.length === 0) yield 'providers: must have at least one provider'
  const seen = new Set<string>()
  for (const { issuer_url: issuer, audience, ignore_audience } of providers) {
    if (issuer === '') yield 'no IssuerURL provided for the OIDC configuration'
    else if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) yield 'issuer_url must be a http or https URL'
    if (seen.has(issuer)) yield `duplicate issuer URL found: ${issuer}`
    seen.add(issuer)
    if (audience === '' && !ignore_audience) yield 'no Audience provided for the OIDC configuration'
  }
}
