// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { describe, expect, test } from 'vitest'
import { parseYaml, validateJson } from '#core/config'
import { cli } from './cli.test-support.ts'

const { out } = await cli(['schema'])
const validate = validateJson(JSON.parse(out))

describe('the schema of a whole configuration', () => {
  test.each([
    'receivers: {r: , r/two: {port: 5, headers: {a: b}}}',
    'processors: {old_q: , q/x: }\nexporters: {e: {timeout: 5s, queue: }}',
    'service: {extensions: [x], pipelines: {traces/a: {receivers: [r], exporters: [e]}}, telemetry: {logs: {level: debug}}}',
    'receivers: ${file:r.yaml}\nservice: {pipelines: {logs: {receivers: "${env:R}"}}}',
    'receivers: {r: {port: "${env:PORT}"}}\nprocessors:\n',
  ])('takes %j', yaml => {
    expect(validate(parseYaml(yaml))).toEqual([])
  })

  test.each([
    ['receivers: {nope: }', '/receivers'],
    ['recievers: {r: }', ''],
    ['receivers: {r: {prt: 5}}', '/receivers/r'],
    ['receivers: {r: {port: x}}', '/receivers/r/port'],
    ['exporters: {e: {timeout: 5x}}', '/exporters/e/timeout'],
    ['service: {pipelines: {spans: }}', '/service/pipelines'],
    ['service: {pipelines: {traces: {recievers: [r]}}}', '/service/pipelines/traces'],
    ['service: {telemetry: {logs: {levl: debug}}}', '/service/telemetry/logs'],
  ])('refuses %s', (yaml, pointer) => {
    expect(validate(parseYaml(yaml)).map(fault => fault.pointer)).toContain(pointer)
  })
})
