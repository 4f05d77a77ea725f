import { describe, expect, test } from 'vitest'
import { commandsIn } from '../shell/commands-in.ts'
import { COMMAND_RULES } from './commands.ts'
import { gatewayFileRule, normalizePath, PATH_RULES } from './paths.ts'
import { TEXT_RULES } from './texts.ts'

const PATHS = [...PATH_RULES, gatewayFileRule('openclaw'), gatewayFileRule('acme')]

describe.each(PATHS)('$id ($severity)', ({ match, found, passed }) => {
  test.each(found)('finds %s', path => expect(match(normalizePath(path))).toBe(true))
  test.each(passed)('passes %s', path => expect(match(normalizePath(path))).toBe(false))
})

describe.each(COMMAND_RULES)('$id ($severity)', ({ match, found, passed }) => {
  test.each(found)('finds %s', script => expect(commandsIn(script).some(match)).toBe(true))
  test.each(passed)('passes %s', script => expect(commandsIn(script).some(match)).toBe(false))
})

describe.each(TEXT_RULES)('$id ($severity)', ({ pattern, found, passed }) => {
  test.each(found)('finds %s', text => expect(pattern.test(text)).toBe(true))
  test.each(passed)('passes %s', text => expect(pattern.test(text)).toBe(false))
})

test('what one rule passes, no other of its kind finds, unless it is meant to', () => {
  const harmless = PATH_RULES.flatMap(({ passed }) => passed).filter(path =>
    PATH_RULES.some(({ match }) => match(normalizePath(path))),
  )
  expect(harmless).toEqual([])
  const texts = TEXT_RULES.flatMap(({ passed }) => passed).filter(text =>
    TEXT_RULES.some(({ pattern }) => pattern.test(text)),
  )
  expect(texts).toEqual([])
})

test('no text takes long, however it is made', () => {
  const start = performance.now()
  for (const piece of [
    'ignore all the your ',
    'send api keys ',
    'you are now a an the ',
    '\u200b',
    'show me your full ',
    '[system] ',
    'pretend that you ',
  ]) {
    const text = piece.repeat(20_000).slice(0, 65_536)
    for (const { pattern } of TEXT_RULES) pattern.test(text)
  }
  expect(performance.now() - start).toBeLessThan(20_000)
})
