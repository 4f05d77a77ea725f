import type { ConsumeContext } from '#core/component'

/**
 * Reads what `from_context` names from the context of a request, `undefined` when it is not there. Several values are
 * joined by `;`. A name without one of the known prefixes is that of metadata.
 */
export function contextSource(name: string): (context: ConsumeContext) => string | undefined {
  if (name === 'client.address') return ({ clientAddress }) => clientAddress && hostOf(clientAddress)
  if (name.startsWith('auth.')) {
    const attribute = name.slice('auth.'.length)
    return ({ auth }) => joined(auth?.attribute(attribute))
  }
  const header = (name.startsWith('metadata.') ? name.slice('metadata.'.length) : name).toLowerCase()
  return ({ metadata }) => joined(metadata.get(header))
}

function joined(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || value.length === 0 || !value.every(each => typeof each === 'string')) return undefined
  return value.join(';')
}

/** `ip` of `ip:port` and `[ip]:port`; an address without a port as it is. */
function hostOf(address: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(address)
  if (bracketed !== null) return bracketed[1]!
  return address.indexOf(':') === address.lastIndexOf(':') ? address.replace(/:\d*$/, '') : address
}
