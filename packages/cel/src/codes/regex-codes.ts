import type { CodeDescription } from '@tollgate/diagnostics';

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
