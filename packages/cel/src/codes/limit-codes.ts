import type { CodeDescription } from '@tollgate/diagnostics';

export const LIMIT_CODES: readonly CodeDescription[] = [
  {
    code: 'limit/source-length',
    severity: 'error',
    summary: 'expression that is too long',
    rationale: 'The length of expressions is limited, so that checking a hostile one costs no more than a message.',
    remedy: 'Split the rule, or replace a chain of comparisons by `in` with a list.',
    bad: { kind: 'expression', text: "req.Path == '/…'", stands: { mark: '…', for: 'a', times: 100_000 } },
    good: { kind: 'expression', text: "req.Path.startsWith('/a')" },
  },
  {
    code: 'limit/depth',
    severity: 'error',
    summary: 'expression that is nested too deeply',
    rationale:
      'The depth of parentheses, operators and calls is limited. No expression written by hand comes near the limit.',
    remedy: 'Split the expression: the expressions of a rule are joined by *and* anyway.',
    bad: { kind: 'expression', text: 'dyn(req)… == 1', stands: { mark: '…', for: '.a', times: 300 } },
    good: { kind: 'expression', text: 'true' },
  },
  {
    code: 'limit/nodes',
    severity: 'error',
    summary: 'expression with too many parts',
    rationale: 'Macros inside macros multiply what they expand to, so the total number of parts is limited.',
    remedy: 'Split the expression, or replace a chain of comparisons by `in` with a list.',
    withoutExample:
      "it takes at least 65 kB of source, which exceeds the limit on an expression's length in every profile",
  },
  {
    code: 'limit/diagnostics',
    severity: 'error',
    summary: 'more problems than are shown',
    rationale: 'Most further problems are consequences of the same few mistakes, so the rest is left out.',
    remedy: 'Fix the first ones and check again.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n…',
      stands: { mark: '…', for: '      - type: dny\n', times: 201 },
    },
    good: { kind: 'policy', text: 'inbound:\n  - actions:\n      - type: deny\n' },
  },
  {
    code: 'limit/steps',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'evaluation that exceeds its budget',
    rationale:
      'Nested loops multiply, and so does the work of functions inside them. Iterations, comparisons of elements, and the elements and characters that functions create count as steps. An evaluation that exceeds the limit `maxSteps` ends in an error, and its rule does not match.',
    remedy: 'Look the value up in a list with `in` instead of iterating over it.',
    bad: {
      kind: 'expression',
      text: '[…].all(a, [1, 2].all(b, [1, 2, 3].all(c, [1, 2, 3].all(d, [1, 2, 3].all(e, a > 0)))))',
      stands: { mark: '…', for: '1, ', times: 20_000 },
    },
    good: { kind: 'expression', text: '1 in [1, 2, 3]' },
  },
  {
    code: 'limit/collection-size',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'list or map that is too large',
    rationale:
      'Lists and maps that an evaluation creates are limited to `maxCollectionSize`. A larger one is an error, and its rule does not match.',
    remedy: 'Filter before you map.',
    withoutExample: 'a policy cannot create a list of a million elements within the limits on its source',
  },
  {
    code: 'limit/text-length',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'string that is too long',
    rationale:
      'Strings that an evaluation creates are limited to `maxTextLength`. A longer one is an error, and its rule does not match.',
    remedy: 'Join less: repeated `join` and `replace` multiply the length.',
    bad: {
      kind: 'expression',
      text: "'…'.replace('a', '…').replace('a', '…').size() > 0",
      stands: { mark: '…', for: 'a', times: 300 },
    },
    good: { kind: 'expression', text: "'aaa'.replace('a', 'b').size() > 0" },
  },
  {
    code: 'limit/pattern-size',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'regular expression that is too large',
    rationale:
      'Counted repetitions multiply what they repeat. A pattern that expands beyond `maxPatternSize` is not compiled while traffic waits.',
    remedy: 'Use `+` or `*` instead of large counts, or a condition on `size()`.',
    withoutExample: 'only patterns computed at run time can cause it; constant ones are rejected by the checker',
  },
  {
    code: 'limit/value-depth',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'value that is nested too deeply',
    rationale:
      'Comparing or printing nested values needs stack space. Real traffic never contains values that deep, but JSON from a client may.',
    withoutExample: 'it takes a value with thousands of levels, which no expression within the limits creates',
  },
];
