import type { CodeDescription } from '@tollgate/diagnostics';

export const TYPE_CODES: readonly CodeDescription[] = [
  {
    code: 'type/no-matching-overload',
    severity: 'error',
    summary: 'an operator or function applied to types that it does not take',
    rationale:
      'CEL converts nothing by itself: a text is never equal to a number, and a list of texts is no text. The expression could only ' +
      'fail, so it is refused before it runs.',
    remedy:
      'Compare values of one type, or convert one: `int()`, `string()`, `double()`. Values of headers are lists: take one with `[0]`.',
    bad: { kind: 'expression', text: "req.Headers['X-Debug'] == 'on'" },
    good: { kind: 'expression', text: "'X-Debug' in req.Headers && req.Headers['X-Debug'][0] == 'on'" },
  },
  {
    code: 'type/mismatch',
    severity: 'error',
    summary: 'a value of another type than its place takes',
    rationale:
      'What stands here has a type, and its place needs another: a branch, an operand of `&&`, an element of a list.',
    remedy: 'Write a value of the expected type, or a comparison where a condition is expected.',
    bad: { kind: 'expression', text: "req.Path && req.Method == 'GET'" },
    good: { kind: 'expression', text: "req.Path != '' && req.Method == 'GET'" },
  },
  {
    code: 'type/non-boolean-expression',
    severity: 'error',
    summary: 'a condition that is neither true nor false',
    rationale:
      'The expressions of a rule are conditions. One that gives a text or a number says neither that the rule matches nor that it does not.',
    remedy: 'Compare the value with something.',
    bad: { kind: 'expression', text: 'req.Path' },
    good: { kind: 'expression', text: "req.Path == '/'" },
  },
  {
    code: 'type/no-fields',
    severity: 'error',
    summary: 'a field of a value that has none',
    rationale: 'Texts, numbers and lists have no fields; only objects and maps have.',
    remedy: 'Leave the field out, take an element of the list first, or call a method, which needs parentheses.',
    bad: { kind: 'expression', text: 'req.Path.length > 10' },
    good: { kind: 'expression', text: 'req.Path.size() > 10' },
  },
  {
    code: 'type/not-iterable',
    severity: 'error',
    summary: 'a loop over something that is neither a list nor a map',
    rationale:
      'Macros such as `exists` and `all` go through the elements of a list or the keys of a map. A text has no elements.',
    remedy: 'Split the text, or use a method of texts such as `contains`.',
    bad: { kind: 'expression', text: "req.Path.exists(c, c == '/')" },
    good: { kind: 'expression', text: "req.Path.split('/').exists(part, part == 'admin')" },
  },
  {
    code: 'type/map-key',
    severity: 'error',
    summary: 'a key of a type that keys cannot have',
    rationale: 'Keys of maps are bool, int, uint or string. Others cannot be looked up.',
    remedy: 'Write the key as a text or a whole number.',
    bad: { kind: 'expression', text: "{1.5: 'a'}.size() == 1" },
    good: { kind: 'expression', text: "{'1.5': 'a'}.size() == 1" },
  },
  {
    code: 'type/unknown-type',
    severity: 'error',
    summary: 'a literal of an object type that does not exist',
    rationale: '`Name{field: value}` makes an object of a type with fields. There is no such type here.',
    remedy: 'Leave the name away for a map: `{"key": value}`.',
    bad: { kind: 'expression', text: 'Point{x: 1} == Point{x: 1}' },
    good: { kind: 'expression', text: "{'x': 1} == {'x': 1}" },
  },
  {
    code: 'type/wrong-argument-count',
    severity: 'error',
    summary: 'too many or too few arguments',
    rationale: 'The function exists, and takes another number of arguments.',
    remedy: 'The message says how many it takes. `a || b` and `[…].exists(…)` do what further arguments do elsewhere.',
    bad: { kind: 'expression', text: "req.Path.startsWith('/a', '/b')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/a') || req.Path.startsWith('/b')" },
  },
  {
    code: 'type/wrong-call-form',
    severity: 'error',
    summary: 'a method called as a function, or the other way round',
    rationale:
      'A method stands behind its value, `text.startsWith(x)`; a function has all values in its parentheses. Few names are both.',
    bad: { kind: 'expression', text: "startsWith(req.Path, '/admin')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/admin')" },
  },
  {
    code: 'type/invalid-constant',
    severity: 'warning',
    summary: 'a conversion of a constant that always fails',
    rationale:
      'The text is no value of the type, so that the expression ends in an evaluation error, and the rule never matches.',
    remedy: 'Write the value in the form that the message states.',
    bad: { kind: 'expression', text: "timestamp('2026-01-01') < timestamp('2026-06-01T00:00:00Z')" },
    good: { kind: 'expression', text: "timestamp('2026-01-01T00:00:00Z') < timestamp('2026-06-01T00:00:00Z')" },
  },
  {
    code: 'type/invalid-format',
    severity: 'error',
    summary: 'a format that does not fit its values',
    rationale:
      'Each clause of a format takes the next value, which must be of a type that the clause can format. Where both are constants, ' +
      'the edge refuses an unknown clause, too few values and too many.',
    remedy: 'Give each clause one value of its type; write `%%` for a percent sign.',
    bad: { kind: 'expression', text: "'%s from %i'.format([req.Method, 7]) == ''" },
    good: { kind: 'expression', text: "'%s from %d'.format([req.Method, 7]) == ''" },
  },
  {
    code: 'type/optional-syntax',
    severity: 'error',
    summary: 'optional syntax where the library of optionals is switched off',
    rationale: '`a.?b` and `a[?b]` give optional values, which need the library that handles them.',
    remedy: 'Test with `in` or `has()` before selecting.',
    withoutExample: 'every profile has the library; only environments made with the CEL package can be without it',
  },
];
