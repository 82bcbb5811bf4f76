import type { LimitFact } from '../schema/fact.ts';

// The vendor limits the number of rules by plan and publishes no sizes. These limits bound the cost of checking.
export const LIMITS = [
  {
    name: 'maxDocumentSize',
    value: 1_000_000,
    most: 4_000_000,
    doc: 'The size of a policy document in UTF-16 units.',
    source: 'chosen',
  },
  { name: 'maxDocumentDepth', value: 64, most: 256, doc: 'The nesting depth of lists and maps.', source: 'chosen' },
  {
    name: 'maxDocumentNodes',
    value: 100_000,
    most: 2_000_000,
    doc: 'The number of values in a document, with aliased values counted at every reference.',
    source: 'chosen',
  },
  {
    name: 'maxDocumentTokens',
    value: 400_000,
    most: 8_000_000,
    doc: 'The number of YAML tokens in a document, including white space and comments.',
    source: 'chosen',
  },
  {
    name: 'maxExpressionSize',
    value: 65_536,
    most: 1_000_000,
    doc: 'The size of an expression in UTF-16 units.',
    source: 'chosen',
  },
  {
    name: 'maxRules',
    value: 10_000,
    most: 100_000,
    doc: 'The number of rules in a policy, over all phases.',
    source: 'chosen',
  },
  {
    name: 'maxExpressions',
    value: 1_000,
    most: 100_000,
    doc: 'The number of expressions in a rule.',
    source: 'chosen',
  },
  { name: 'maxActions', value: 1_000, most: 100_000, doc: 'The number of actions in a rule.', source: 'chosen' },
  {
    name: 'maxHeaderNameLength',
    value: 256,
    most: 65_536,
    doc: 'The length of a header name in characters.',
    source: 'chosen',
  },
  {
    name: 'maxHeaderValueLength',
    value: 8_192,
    most: 65_536,
    doc: 'The length of a header value in characters.',
    source: 'chosen',
  },
  {
    name: 'maxVariables',
    value: 100,
    most: 10_000,
    doc: 'The number of variables that one `set-vars` action sets.',
    source: 'chosen',
  },
  {
    name: 'maxVariableDepth',
    value: 10,
    most: 64,
    doc: 'The nesting depth of lists and maps in a variable.',
    source: 'chosen',
  },
  {
    name: 'maxDiagnostics',
    value: 200,
    most: 100_000,
    doc: 'The number of diagnostics for a document.',
    source: 'chosen',
  },
] as const satisfies readonly LimitFact[];
