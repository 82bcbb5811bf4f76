import type { CodeDescription } from '@tollgate/diagnostics';

export const REGEX_CODES: readonly CodeDescription[] = [
  {
    code: 'regex/invalid-pattern',
    severity: 'error',
    summary: 'a regular expression that RE2 does not accept',
    rationale:
      'Patterns are those of RE2, which takes time linear in the text, and so has no look-around, no back-references and no possessive ' +
      'quantifiers. What other engines accept may be refused here.',
    remedy: 'Write what must not follow as a second condition: `a.matches(x) && !a.matches(y)`.',
    bad: { kind: 'expression', text: "req.Path.matches('^/(?!admin)')" },
    good: { kind: 'expression', text: "!req.Path.startsWith('/admin')" },
  },
  {
    code: 'regex/too-many-groups',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a pattern with more than one capturing group',
    rationale:
      '`regex.extract` and `regex.extractAll` give what the one group captured; with several it is not known which is meant.',
    remedy: 'Make the other groups non-capturing: `(?:…)`.',
    bad: { kind: 'expression', text: "regex.extract(req.Path, '(/)(.)').hasValue()" },
    good: { kind: 'expression', text: "regex.extract(req.Path, '(?:/)(.*)').hasValue()" },
  },
  {
    code: 'regex/unknown-group',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a replacement that refers to a group that the pattern does not have',
    rationale:
      '`\\1` in a replacement stands for what the first group captured. Without the group there is nothing to put there.',
    remedy: 'Count the groups from one, by their opening parentheses.',
    bad: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\1') == ''" },
    good: { kind: 'expression', text: "regex.replace(req.Path, '(/)', r'\\1') == req.Path" },
  },
  {
    code: 'regex/invalid-replacement',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a replacement with a backslash that stands for nothing',
    rationale:
      'In the replacement of `regex.replace` a backslash and a digit stand for a group, and two backslashes for one. `$` has no ' +
      'meaning.',
    remedy: 'Write two backslashes for one. In a CEL string that is not raw, each is written twice.',
    bad: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\d') == ''" },
    good: { kind: 'expression', text: "regex.replace(req.Path, '/', r'\\\\') != req.Path" },
  },
];
