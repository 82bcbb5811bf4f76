import type { CodeDescription } from '@tollgate/diagnostics';

export const SYNTAX_CODES: readonly CodeDescription[] = [
  {
    code: 'syntax/unexpected-token',
    severity: 'error',
    summary: 'something else than the grammar of CEL allows here',
    rationale: 'The expression breaks off, or two parts follow each other without an operator between them.',
    remedy: 'The message says what was expected. Often an operator, a closing parenthesis or a quote is missing.',
    bad: { kind: 'expression', text: "req.Method == 'GET' req.Path == '/'" },
    good: { kind: 'expression', text: "req.Method == 'GET' && req.Path == '/'" },
  },
  {
    code: 'syntax/unexpected-character',
    severity: 'error',
    summary: 'a character that CEL does not have',
    rationale: 'Typographic quotes come from word processors and web pages; `;` and `#` belong to other languages.',
    remedy: 'Write straight quotes. A comment begins with `//`.',
    bad: { kind: 'expression', text: 'req.Method == “GET”' },
    good: { kind: 'expression', text: 'req.Method == "GET"' },
  },
  {
    code: 'syntax/unknown-operator',
    severity: 'error',
    summary: 'an operator of another language',
    rationale: 'CEL has `&&`, `||`, `!` and `==`, each in one spelling.',
    bad: { kind: 'expression', text: "req.Method = 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'syntax/unclosed-literal',
    severity: 'error',
    summary: 'a text without its closing quote',
    rationale:
      'The text begins with a quote and does not end with the same one. Texts in single quote marks end on their line.',
    bad: { kind: 'expression', text: "req.Path == '/admin" },
    good: { kind: 'expression', text: "req.Path == '/admin'" },
  },
  {
    code: 'syntax/invalid-escape',
    severity: 'error',
    summary: 'a backslash that begins no escape',
    rationale:
      'In texts a backslash begins an escape such as `\\n`. Patterns have escapes of their own, which this is taken from.',
    remedy: "Write patterns as raw texts, `r'\\d+'`, or double the backslash.",
    bad: { kind: 'expression', text: "req.Path.matches('^/\\d+$')" },
    good: { kind: 'expression', text: "req.Path.matches(r'^/\\d+$')" },
  },
  {
    code: 'syntax/lone-surrogate',
    severity: 'error',
    summary: 'half of a character in a text',
    rationale:
      'Characters beyond the basic plane are two units in UTF-16. Half of one is no Unicode text, and never occurs in traffic.',
    remedy: 'Write the character itself, or its code point: `\\U0001F600`.',
    bad: { kind: 'expression', text: "req.Path == '/\ud83d'" },
    good: { kind: 'expression', text: "req.Path == '/\\U0001F600'" },
  },
  {
    code: 'syntax/number-out-of-range',
    severity: 'error',
    summary: 'a number that its type cannot hold',
    rationale:
      'Whole numbers have 64 bits: int from -9223372036854775808 to 9223372036854775807, uint from 0 to twice that.',
    remedy: 'Write a double, with a fraction or an exponent, where the exact value does not matter.',
    bad: { kind: 'expression', text: 'req.ContentLength < 9223372036854775808' },
    good: { kind: 'expression', text: 'req.ContentLength < 9223372036854775807' },
  },
  {
    code: 'syntax/reserved-word',
    severity: 'error',
    summary: 'a reserved word as a name',
    rationale: 'CEL keeps words such as `as`, `for`, `if` and `while` for itself; no variable can have such a name.',
    remedy: 'Conditions are written `a ? b : c`; loops are macros such as `exists`.',
    bad: { kind: 'expression', text: "['a'].exists(var, var == 'a')" },
    good: { kind: 'expression', text: "['a'].exists(one, one == 'a')" },
  },
  {
    code: 'syntax/keyword-as-field',
    severity: 'error',
    summary: 'a keyword as the name of a field',
    rationale: '`true`, `false`, `null` and `in` are not names, not even behind a dot.',
    remedy: 'Use an index for a key of a map: `["in"]`.',
    bad: { kind: 'expression', text: "{'in': 1}.in == 1" },
    good: { kind: 'expression', text: "{'in': 1}['in'] == 1" },
  },
  {
    code: 'syntax/invalid-quoted-name',
    severity: 'error',
    summary: 'a name between backticks that is none',
    rationale:
      'Backticks quote names of fields behind a dot. They hold letters, digits, `_`, `.`, `-`, `/` and spaces.',
    remedy: 'Use an index for a key of a map.',
    bad: { kind: 'expression', text: "{'a+b': 1}.`a+b` == 1" },
    good: { kind: 'expression', text: "{'a+b': 1}['a+b'] == 1" },
  },
  {
    code: 'syntax/invalid-macro',
    severity: 'error',
    summary: 'a macro that is not used as it is meant',
    rationale:
      'Macros look like methods and are read before anything runs, so that their arguments must have a certain form.',
    remedy: 'The first argument of `sortBy` names the element, the second says what to sort by.',
    bad: { kind: 'expression', text: "['b', 'a'].sortBy(a + b, a)[0] == 'a'", profile: 'modern' },
    good: { kind: 'expression', text: "['b', 'a'].sortBy(a, a)[0] == 'a'", profile: 'modern' },
  },
  {
    code: 'syntax/invalid-macro-argument',
    severity: 'error',
    summary: 'an argument that its macro cannot take',
    rationale:
      '`has` takes a selection of a field, loops take the name of a variable first. Anything else has no meaning there.',
    remedy: '`has(a.b)` asks whether a field is there; `"key" in map` asks it of a key.',
    bad: { kind: 'expression', text: "has(req.Headers['X-Debug'])" },
    good: { kind: 'expression', text: "'X-Debug' in req.Headers" },
  },
  {
    code: 'syntax/switched-off',
    severity: 'error',
    summary: 'syntax that this environment does not have',
    rationale: 'Quoted names and the syntax of optionals are parts of CEL that can be switched off.',
    remedy: 'Use an index for a key, and test with `in` or `has()`.',
    withoutExample:
      'every profile has all of the syntax; only environments made with the CEL package can be without it',
  },
];
