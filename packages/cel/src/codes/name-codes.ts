import type { CodeDescription } from '@tollgate/diagnostics';

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
