import type { JsonObject } from '../mapping/plain-json.ts'

/** Types of observables by their ids in the dictionary of OCSF. */
const HOSTNAME = 1
const IP = 2
const USER_NAME = 4
const EMAIL = 5
const URL_STRING = 6
const PROCESS_NAME = 9

const ENDPOINT = [
  ['ip', IP],
  ['hostname', HOSTNAME],
] as const
const USER = [
  ['name', USER_NAME],
  ['email_addr', EMAIL],
] as const
const PROCESS = [['name', PROCESS_NAME]] as const

type Members = readonly (readonly [string, number])[]

/** Objects of an event and which of their members can be searched for. */
const WITHIN: readonly (readonly [string, Members])[] = [
  ['src_endpoint', ENDPOINT],
  ['dst_endpoint', ENDPOINT],
  ['device', [['hostname', HOSTNAME]]],
  ['user', USER],
  ['process', PROCESS],
]

/** What of an event an analyst can search for, names, addresses, URLs: observables as JSON. */
export function observables(event: JsonObject): string[] {
  const found: string[] = []
  collect(event, '', found)
  const evidence = (event.evidences as JsonObject[] | undefined)?.[0]
  if (evidence !== undefined) collect(evidence, 'evidences[].', found)
  const actor = event.actor as JsonObject | undefined
  if (actor?.user !== undefined) members(actor.user as JsonObject, 'actor.user', USER, found)
  const url = (event.http_request as JsonObject | undefined)?.url as JsonObject | undefined
  if (url !== undefined) members(url, 'http_request.url', [['url_string', URL_STRING]], found)
  return found
}

function collect(around: JsonObject, prefix: string, found: string[]): void {
  for (const [name, searched] of WITHIN) {
    const object = around[name]
    if (object !== undefined) members(object as JsonObject, prefix + name, searched, found)
  }
}

function members(object: JsonObject, path: string, searched: Members, found: string[]): void {
  for (const [name, type] of searched) {
    const value = object[name]
    if (typeof value === 'string') {
      found.push(`{"name":"${path}.${name}","type_id":${type},"value":${JSON.stringify(value)}}`)
    }
  }
}
