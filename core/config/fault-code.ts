/**
 * What kind of fault or warning it is, for programs that read diagnostics. Codes are never renamed; new ones may come.
 * A fault without one has the name of the {@link Stage} that found it.
 */
export type DiagnosticCode =
  // Reading the sources.
  | 'unreadable-source'
  | 'invalid-yaml'
  | 'unresolved-reference'
  | 'unset-variable'
  // Options.
  | 'unknown-key'
  | 'missing-option'
  | 'wrong-type'
  | 'invalid-value'
  | 'deprecated'
  // Components and what mentions them.
  | 'unknown-component'
  | 'component-not-loaded'
  | 'invalid-id'
  | 'duplicate-id'
  | 'ambiguous-id'
  | 'missing-section'
  | 'unknown-reference'
  | 'repeated-processor'
  | 'gated'
  // The graph.
  | 'unsupported-signal'
  | 'one-ended-connector'
  | 'cycle'
  | 'extension-order'
  // What works, but hardly as it was meant.
  | 'unused-component'
  | 'clashing-addresses'
  | 'plain-text-secret'
  | 'processor-order'
  | 'further-documents'
