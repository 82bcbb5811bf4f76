import type { LimitFact } from '../schema/fact.ts';

// The vendor bounds the number of rules by plan and publishes no sizes: these bound what checking may cost.
export const LIMITS = [
  {
    name: 'maxDocumentSize',
    value: 1_000_000,
    most: 4_000_000,
    doc: 'UTF-16 units of a policy document.',
    source: 'chosen',
  },
  { name: 'maxDocumentDepth', value: 64, most: 256, doc: 'Lists and maps inside each other.', source: 'chosen' },
  {
    name: 'maxDocumentNodes',
    value: 100_000,
    most: 2_000_000,
    doc: 'Values of a document, those behind aliases counted as often as they are referred to.',
    source: 'chosen',
  },
  {
    name: 'maxDocumentTokens',
    value: 400_000,
    most: 8_000_000,
    doc: 'Signs and texts that the YAML of a document is made of, white space and comments among them.',
    source: 'chosen',
  },
  {
    name: 'maxExpressionSize',
    value: 65_536,
    most: 1_000_000,
    doc: 'UTF-16 units of one expression.',
    source: 'chosen',
  },
  { name: 'maxRules', value: 10_000, most: 100_000, doc: 'Rules of a policy, in all of its phases.', source: 'chosen' },
  { name: 'maxExpressions', value: 1_000, most: 100_000, doc: 'Expressions of one rule.', source: 'chosen' },
  { name: 'maxActions', value: 1_000, most: 100_000, doc: 'Actions of one rule.', source: 'chosen' },
  {
    name: 'maxHeaderNameLength',
    value: 256,
    most: 65_536,
    doc: 'Characters of the name of a header.',
    source: 'chosen',
  },
  {
    name: 'maxHeaderValueLength',
    value: 8_192,
    most: 65_536,
    doc: 'Characters of the value of a header.',
    source: 'chosen',
  },
  { name: 'maxVariables', value: 100, most: 10_000, doc: 'Variables that one `set-vars` sets.', source: 'chosen' },
  {
    name: 'maxVariableDepth',
    value: 10,
    most: 64,
    doc: 'Lists and maps inside each other in a variable.',
    source: 'chosen',
  },
  { name: 'maxDiagnostics', value: 200, most: 100_000, doc: 'Diagnostics about one document.', source: 'chosen' },
] as const satisfies readonly LimitFact[];
