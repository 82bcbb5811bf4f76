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
