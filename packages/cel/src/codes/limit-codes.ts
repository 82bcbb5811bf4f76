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

export const NAME_CODES: readonly CodeDescription[] = [
  {
    code: 'name/undeclared-reference',
    severity: 'error',
    summary: 'undeclared variable',
    rationale:
      'The edge has no variable with this name, so the expression cannot be evaluated and the service refuses the policy.',
    remedy:
      'Correct the name; the message suggests the closest one. A string needs quotes. Declare variables that only your edge has in an extension file (`--env`).',
    bad: { kind: 'expression', text: "request.Method == 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'name/undeclared-field',
    severity: 'error',
    summary: 'field that the object does not have',
    rationale:
      'The object exists but has no field with this name. Names are case-sensitive and differ between profiles.',
    remedy:
      'Correct the name; the message suggests the closest one. If the policy uses another profile, select it with `--profile`.',
    bad: { kind: 'expression', text: "req.Metod == 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'name/undeclared-function',
    severity: 'error',
    summary: 'undeclared function',
    rationale: 'Neither CEL nor the edge has a function or method with this name, so the service refuses the policy.',
    remedy:
      'Correct the name. Functions may be named differently than in other languages: `toLowerCase()` is `lowerAscii()`.',
    bad: { kind: 'expression', text: "req.Path.startWith('/admin')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/admin')" },
  },
];

export const REGEX_CODES: readonly CodeDescription[] = [
  {
    code: 'regex/invalid-pattern',
    severity: 'error',
    summary: 'invalid regular expression',
    rationale:
      'Patterns use RE2 syntax, which guarantees linear time and therefore has no lookaround, backreferences or possessive quantifiers. Patterns that other engines accept may be rejected here.',
    remedy: 'Write what must not follow as a second condition: `a.matches(x) && !a.matches(y)`.',
    bad: { kind: 'expression', text: "req.Path.matches('^/(?!admin)')" },
    good: { kind: 'expression', text: "!req.Path.startsWith('/admin')" },
  },
  {
    code: 'regex/too-many-groups',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'pattern with more than one capture group',
    rationale:
      '`regex.extract` and `regex.extractAll` return what a single group captures; with several groups it is ambiguous which one.',
    remedy: 'Make the other groups non-capturing: `(?:…)`.',
    bad: { kind: 'expression', text: "regex.extract(req.Path, '(/)(.)').hasValue()" },
    good: { kind: 'expression', text: "regex.extract(req.Path, '(?:/)(.*)').hasValue()" },
  },
  {
    code: 'regex/unknown-group',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'replacement that refers to a missing capture group',
    rationale: '`\\1` in a replacement is what the first group captures. The pattern has no such group.',
    remedy: 'Count the groups from one, by their opening parentheses.',
    bad: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\1') == ''" },
    good: { kind: 'expression', text: "regex.replace(req.Path, '(/)', r'\\1') == req.Path" },
  },
  {
    code: 'regex/invalid-replacement',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'replacement with an invalid backslash',
    rationale:
      'In the replacement of `regex.replace`, a backslash and a digit refer to a group, and two backslashes are one backslash. `$` has no special meaning.',
    remedy: 'Write two backslashes for one. In a CEL string that is not raw, double each of them.',
    bad: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\d') == ''" },
    good: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\\\') != req.Path" },
  },
];
