// Codes of what is wrong with an expression as it is written: its syntax, names, types and patterns, and limits.

import type { CodeDescription } from '@tollgate/diagnostics';

export const SYNTAX_CODES: readonly CodeDescription[] = [
  {
    code: 'syntax/unexpected-token',
    severity: 'error',
    summary: 'unexpected token',
    rationale: 'The expression ends too early, or two parts follow each other without an operator.',
    remedy: 'The message says what was expected. Often an operator, a closing parenthesis or a quote is missing.',
    bad: { kind: 'expression', text: "req.Method == 'GET' req.Path == '/'" },
    good: { kind: 'expression', text: "req.Method == 'GET' && req.Path == '/'" },
  },
  {
    code: 'syntax/unexpected-character',
    severity: 'error',
    summary: 'character that is not valid in CEL',
    rationale: 'Typographic quotes come from word processors and web pages; `;` and `#` belong to other languages.',
    remedy: 'Write straight quotes. Comments start with `//`.',
    bad: { kind: 'expression', text: 'req.Method == “GET”' },
    good: { kind: 'expression', text: 'req.Method == "GET"' },
  },
  {
    code: 'syntax/unknown-operator',
    severity: 'error',
    summary: 'operator of another language',
    rationale: 'CEL has `&&`, `||`, `!` and `==`, each with one spelling.',
    bad: { kind: 'expression', text: "req.Method = 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'syntax/foreign-form',
    severity: 'error',
    summary: 'construct of another language',
    rationale:
      'CEL resembles JavaScript and Python, but patterns are strings that `matches` takes, a conditional is `a ? b : c`, and loops are ' +
      'methods of lists.',
    bad: { kind: 'expression', text: '/^.admin/.test(req.Path)' },
    good: { kind: 'expression', text: "req.Path.matches('^/admin')" },
  },
  {
    code: 'syntax/unclosed-literal',
    severity: 'error',
    summary: 'string without a closing quote',
    rationale:
      'The string starts with a quote and does not end with the same one. Only triple-quoted strings can span lines.',
    bad: { kind: 'expression', text: "req.Path == '/admin" },
    good: { kind: 'expression', text: "req.Path == '/admin'" },
  },
  {
    code: 'syntax/invalid-escape',
    severity: 'error',
    summary: 'invalid escape sequence',
    rationale:
      'In strings, a backslash starts an escape such as `\\n`. Regular expressions have escapes of their own, which need another backslash.',
    remedy: "Write patterns as raw strings, `r'\\d+'`, or double the backslash.",
    bad: { kind: 'expression', text: "req.Path.matches('^/\\d+$')" },
    good: { kind: 'expression', text: "req.Path.matches(r'^/\\d+$')" },
  },
  {
    code: 'syntax/lone-surrogate',
    severity: 'error',
    summary: 'unpaired surrogate',
    rationale:
      'Characters beyond U+FFFF take two units in UTF-16. One unit alone is not valid Unicode and never occurs in traffic.',
    remedy: 'Write the character itself, or its code point: `\\U0001F600`.',
    bad: { kind: 'expression', text: "req.Path == '/\ud83d'" },
    good: { kind: 'expression', text: "req.Path == '/\\U0001F600'" },
  },
  {
    code: 'syntax/number-out-of-range',
    severity: 'error',
    summary: 'number out of the range of its type',
    rationale:
      'Integers have 64 bits: int from -9223372036854775808 to 9223372036854775807, uint from 0 to 18446744073709551615.',
    remedy: 'Write a double, with a fraction or an exponent, if the exact value does not matter.',
    bad: { kind: 'expression', text: 'req.ContentLength < 9223372036854775808' },
    good: { kind: 'expression', text: 'req.ContentLength < 9223372036854775807' },
  },
  {
    code: 'syntax/reserved-word',
    severity: 'error',
    summary: 'reserved word used as a name',
    rationale: 'CEL reserves words such as `as`, `for`, `if` and `while`; no variable can have such a name.',
    remedy: 'Conditionals are written `a ? b : c`; loops are macros such as `exists`.',
    bad: { kind: 'expression', text: "['a'].exists(var, var == 'a')" },
    good: { kind: 'expression', text: "['a'].exists(one, one == 'a')" },
  },
  {
    code: 'syntax/keyword-as-field',
    severity: 'error',
    summary: 'keyword used as a field name',
    rationale: '`true`, `false`, `null` and `in` are not names, even after a dot.',
    remedy: 'Use an index for the key of a map: `["in"]`.',
    bad: { kind: 'expression', text: "{'in': 1}.in == 1" },
    good: { kind: 'expression', text: "{'in': 1}['in'] == 1" },
  },
  {
    code: 'syntax/invalid-quoted-name',
    severity: 'error',
    summary: 'invalid name in backticks',
    rationale:
      'Backticks quote field names after a dot. They may contain letters, digits, `_`, `.`, `-`, `/` and spaces.',
    remedy: 'Use an index for the key of a map.',
    bad: { kind: 'expression', text: "{'a+b': 1}.`a+b` == 1" },
    good: { kind: 'expression', text: "{'a+b': 1}['a+b'] == 1" },
  },
  {
    code: 'syntax/invalid-macro',
    severity: 'error',
    summary: 'misused macro',
    rationale:
      'Macros look like methods but are expanded before anything runs, so their arguments must have a certain form.',
    remedy: 'The first argument of `sortBy` names the element, the second one is the sort key.',
    bad: { kind: 'expression', text: "['b', 'a'].sortBy(a + b, a)[0] == 'a'", profile: 'modern' },
    good: { kind: 'expression', text: "['b', 'a'].sortBy(a, a)[0] == 'a'", profile: 'modern' },
  },
  {
    code: 'syntax/invalid-macro-argument',
    severity: 'error',
    summary: 'invalid macro argument',
    rationale:
      '`has` takes a field selection, and loops take the name of a variable first. Nothing else has a meaning there.',
    remedy: 'Use `has(a.b)` to check for a field and `"key" in map` to check for a key.',
    bad: { kind: 'expression', text: "has(req.Headers['X-Debug'])" },
    good: { kind: 'expression', text: "'X-Debug' in req.Headers" },
  },
  {
    code: 'syntax/switched-off',
    severity: 'error',
    summary: 'disabled syntax',
    rationale: 'Quoted names and optional syntax are parts of CEL that an environment can disable.',
    remedy: 'Use an index for a key, and test with `in` or `has()`.',
    withoutExample:
      'every profile has all of the syntax; only environments created with the CEL package can disable it',
  },
];

export const TYPE_CODES: readonly CodeDescription[] = [
  {
    code: 'type/no-matching-overload',
    severity: 'error',
    summary: 'operator or function applied to unsupported types',
    rationale:
      'CEL has no implicit conversions: a string is never equal to a number, and a list of strings is not a string. The expression could only fail, so it is rejected before it runs.',
    remedy:
      'Compare values of the same type, or convert one with `int()`, `string()` or `double()`. Header values are lists: take one with `[0]`.',
    bad: { kind: 'expression', text: "req.Headers['X-Debug'] == 'on'" },
    good: { kind: 'expression', text: "'X-Debug' in req.Headers && req.Headers['X-Debug'][0] == 'on'" },
  },
  {
    code: 'type/mismatch',
    severity: 'error',
    summary: 'value of the wrong type',
    rationale: 'A branch, an operand of `&&`, or an element of a list requires another type than this value has.',
    remedy: 'Write a value of the expected type, or a comparison if a condition is expected.',
    bad: { kind: 'expression', text: "req.Path && req.Method == 'GET'" },
    good: { kind: 'expression', text: "req.Path != '' && req.Method == 'GET'" },
  },
  {
    code: 'type/non-boolean-expression',
    severity: 'error',
    summary: 'condition that is not a bool',
    rationale: 'The expressions of a rule are conditions. A string or a number does not say whether the rule matches.',
    remedy: 'Compare the value with something.',
    bad: { kind: 'expression', text: 'req.Path' },
    good: { kind: 'expression', text: "req.Path == '/'" },
  },
  {
    code: 'type/no-fields',
    severity: 'error',
    summary: 'field of a value without fields',
    rationale: 'Only objects and maps have fields; strings, numbers and lists do not.',
    remedy: 'Remove the field, take an element of the list first, or call a method, which needs parentheses.',
    bad: { kind: 'expression', text: 'req.Path.length > 10' },
    good: { kind: 'expression', text: 'req.Path.size() > 10' },
  },
  {
    code: 'type/not-iterable',
    severity: 'error',
    summary: 'loop over a value that is neither a list nor a map',
    rationale:
      'Macros such as `exists` and `all` iterate over the elements of a list or the keys of a map. A string is not iterable.',
    remedy: 'Split the string, or use a string method such as `contains`.',
    bad: { kind: 'expression', text: "req.Path.exists(c, c == '/')" },
    good: { kind: 'expression', text: "req.Path.split('/').exists(part, part == 'admin')" },
  },
  {
    code: 'type/map-key',
    severity: 'error',
    summary: 'map key of an unsupported type',
    rationale: 'Map keys are bool, int, uint or string. Others cannot be looked up.',
    remedy: 'Write the key as a string or an integer.',
    bad: { kind: 'expression', text: "{1.5: 'a'}.size() == 1" },
    good: { kind: 'expression', text: "{'1.5': 'a'}.size() == 1" },
  },
  {
    code: 'type/unknown-type',
    severity: 'error',
    summary: 'literal of an unknown object type',
    rationale: '`Name{field: value}` creates an object of a type with fields. There is no type with this name.',
    remedy: 'Remove the name to create a map: `{"key": value}`.',
    bad: { kind: 'expression', text: 'Point{x: 1} == Point{x: 1}' },
    good: { kind: 'expression', text: "{'x': 1} == {'x': 1}" },
  },
  {
    code: 'type/wrong-argument-count',
    severity: 'error',
    summary: 'wrong number of arguments',
    rationale: 'The function exists but takes a different number of arguments.',
    remedy: 'The message says how many it takes. Use `a || b` or `[…].exists(…)` instead of additional arguments.',
    bad: { kind: 'expression', text: "req.Path.startsWith('/a', '/b')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/a') || req.Path.startsWith('/b')" },
  },
  {
    code: 'type/wrong-call-form',
    severity: 'error',
    summary: 'method called as a function, or a function as a method',
    rationale:
      'A method follows its value, `text.startsWith(x)`; a function takes all values in parentheses. Few names are both.',
    bad: { kind: 'expression', text: "startsWith(req.Path, '/admin')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/admin')" },
  },
  {
    code: 'type/invalid-constant',
    severity: 'warning',
    summary: 'constant that cannot be converted',
    rationale:
      'The string cannot be converted to the type, so the expression ends in an evaluation error and the rule never matches.',
    remedy: 'Write the value in the format that the message states.',
    bad: { kind: 'expression', text: "timestamp('2026-01-01') < timestamp('2026-06-01T00:00:00Z')" },
    good: { kind: 'expression', text: "timestamp('2026-01-01T00:00:00Z') < timestamp('2026-06-01T00:00:00Z')" },
  },
  {
    code: 'type/invalid-format',
    severity: 'error',
    summary: 'format that does not fit its values',
    rationale:
      'Each clause of a format takes the next value, which must be of a type that the clause can format. If both are constant, the edge refuses an unknown clause, too few values and too many.',
    remedy: 'Give each clause one value of its type; write `%%` for a percent sign.',
    bad: { kind: 'expression', text: "'%s from %i'.format([req.Method, 7]) == ''" },
    good: { kind: 'expression', text: "'%s from %d'.format([req.Method, 7]) == ''" },
  },
  {
    code: 'type/optional-syntax',
    severity: 'error',
    summary: 'optional syntax without the optionals library',
    rationale: '`a.?b` and `a[?b]` return optional values, which need the library that handles them.',
    remedy: 'Test with `in` or `has()` before selecting.',
    withoutExample: 'every profile has the library; only environments created with the CEL package can leave it out',
  },
];

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
