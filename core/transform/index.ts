/**
 * What processors that edit records have in common: lists of attribute actions, regular expressions as the Collector's
 * configurations spell them, values as text.
 * @module
 */
export { type ActionConfig, actionsOption, checkActions } from './actions-option.ts'
export { type ApplyActions, compileActions } from './compile-actions.ts'
export { contextSource } from './context-source.ts'
export { compileGoRegExp, type GoRegExp, InvalidPattern } from './go-regexp.ts'
export { plainNumber, valueAsText } from './value-text.ts'
