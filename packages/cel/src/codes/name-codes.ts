import type { CodeDescription } from '@tollgate/diagnostics';

export const NAME_CODES: readonly CodeDescription[] = [
  {
    code: 'name/undeclared-reference',
    severity: 'error',
    summary: 'a variable that does not exist',
    rationale:
      'The edge has no variable of this name, so the expression cannot be evaluated and the service refuses the policy.',
    remedy:
      'Correct the name; the message suggests the nearest one. A word that is meant as a text needs quotes. What only your edge has is ' +
      'declared in an extension file (`--env`).',
    bad: { kind: 'expression', text: "request.Method == 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'name/undeclared-field',
    severity: 'error',
    summary: 'a field that an object does not have',
    rationale:
      'The object exists, but has no field of this name. Names are told apart by case, and differ between profiles.',
    remedy:
      'Correct the name; the message suggests the nearest one. In a policy of another profile, say so with `--profile`.',
    bad: { kind: 'expression', text: "req.Metod == 'GET'" },
    good: { kind: 'expression', text: "req.Method == 'GET'" },
  },
  {
    code: 'name/undeclared-function',
    severity: 'error',
    summary: 'a function that does not exist',
    rationale: 'CEL and the edge have no function or method of this name, so the service refuses the policy.',
    remedy: 'Correct the name. Functions of other languages have other names here: `lowerAscii()` is `toLowerCase()`.',
    bad: { kind: 'expression', text: "req.Path.startWith('/admin')" },
    good: { kind: 'expression', text: "req.Path.startsWith('/admin')" },
  },
];
