export { parentOf, spanContextOf, traceparentOf } from '#core/component'
