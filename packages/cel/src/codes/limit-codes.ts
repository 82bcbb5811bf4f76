import type { CodeDescription } from '@tollgate/diagnostics';

export const LIMIT_CODES: readonly CodeDescription[] = [
  {
    code: 'limit/source-length',
    severity: 'error',
    summary: 'an expression that is too long',
    rationale: 'Expressions have a greatest length, so that checking a hostile one costs no more than a message.',
    remedy: 'Divide the rule into several, or replace a chain of comparisons by `in` with a list.',
    bad: { kind: 'expression', text: "req.Path == '/…'", stands: { mark: '…', for: 'a', times: 100_000 } },
    good: { kind: 'expression', text: "req.Path.startsWith('/a')" },
  },
  {
    code: 'limit/depth',
    severity: 'error',
    summary: 'an expression that is nested too deeply',
    rationale:
      'Parentheses, operators and calls inside each other have a greatest depth. No expression written by hand comes near it.',
    remedy: 'Divide the expression: those of one rule are joined by *and* anyway.',
    bad: { kind: 'expression', text: 'dyn(req)… == 1', stands: { mark: '…', for: '.a', times: 300 } },
    good: { kind: 'expression', text: 'true' },
  },
  {
    code: 'limit/nodes',
    severity: 'error',
    summary: 'an expression with too many parts',
    rationale: 'Macros inside macros multiply what they are expanded to; the whole has a greatest number of parts.',
    remedy: 'Divide the expression, or replace a chain of comparisons by `in` with a list.',
    withoutExample:
      "it takes 65 kB of text at least, which the limit of an expression's length in every profile refuses first",
  },
  {
    code: 'limit/diagnostics',
    severity: 'error',
    summary: 'more problems than are shown',
    rationale: 'After a certain number the rest is left out: most of it follows from the same few mistakes.',
    remedy: 'Mend the first ones, and check again.',
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
    summary: 'an evaluation that takes too many steps',
    rationale:
      'Loops inside loops multiply, and so does what functions do in them. Rounds of loops, comparisons of elements, and the elements and characters that functions make count as steps. An evaluation that takes more than the limit `maxSteps` ends in an error, and its rule does not match.',
    remedy: 'Look the value up in a list with `in` instead of going through it.',
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
    summary: 'a list or map that is too large',
    rationale:
      'An evaluation may make lists and maps of a limited size, `maxCollectionSize`; beyond it ends in an error, and its rule does not match.',
    remedy: 'Filter first, then map.',
    withoutExample: 'lists of a million elements cannot be made of a policy alone within the limits of its text',
  },
  {
    code: 'limit/text-length',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a text that is too long',
    rationale:
      'An evaluation may make texts of a limited length, `maxTextLength`; a longer one ends it in an error, and its rule does not match.',
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
    summary: 'a regular expression that is too large',
    rationale:
      'Counted repetitions multiply what they repeat. A pattern that grows beyond `maxPatternSize` is not compiled while traffic waits.',
    remedy: 'Use `+` or `*` instead of large numbers, or a condition on `size()`.',
    withoutExample:
      'only patterns that are put together at run time get there; a constant one is refused when it is checked',
  },
  {
    code: 'limit/value-depth',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a value that is nested too deeply',
    rationale:
      'Comparing or writing out values that hold values needs a stack. Traffic never has values that deep; JSON that someone sends may.',
    withoutExample: 'it takes a value of thousands of levels, which no expression within the limits makes',
  },
];
