import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const QUOTED: CodeExample = {
  kind: 'policy',
  text: `inbound:
  - expressions:
      - "!('User-Agent' in req.Headers)"
    actions:
      - type: deny
`,
};
const NAMED: CodeExample = { kind: 'policy', text: 'inbound:\n  - name: "@home"\n    actions: [{ type: deny }]\n' };

/** What YAML takes for something else than was meant, mostly without complaint. */
export const YAML_TRAP_CODES: readonly CodeDescription[] = [
  {
    code: 'yaml/unknown-tag',
    severity: 'error',
    summary: 'expression that YAML reads as a tag',
    rationale: 'A value that begins with `!` is a tag in YAML. Usually it is a condition that begins with a negation.',
    remedy: 'Put quotes around the expression.',
    bad: {
      kind: 'policy',
      text: `inbound:
  - expressions:
      - !('User-Agent' in req.Headers)
    actions:
      - type: deny
`,
    },
    good: QUOTED,
  },
  {
    code: 'yaml/unquoted-text',
    severity: 'error',
    summary: 'string that YAML reads as something else',
    rationale:
      'A value that begins with a quote, a bracket, a brace, `*`, `|` or `>` is not a plain string in YAML, and may end before the line does.',
    remedy: 'Put quotes of the other kind around the whole string.',
    bad: {
      kind: 'policy',
      text: `inbound:
  - expressions:
      - 'GET' == req.Method
    actions:
      - type: deny
`,
    },
    good: {
      kind: 'policy',
      text: `inbound:
  - expressions:
      - "'GET' == req.Method"
    actions:
      - type: deny
`,
    },
  },
  {
    code: 'yaml/bad-scalar-start',
    severity: 'error',
    summary: 'string that begins with a reserved character',
    rationale: 'A string without quotes cannot begin with `@`, `%` or a backtick.',
    remedy: 'Put quotes around the string.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: @home\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/comment-in-text',
    severity: 'error',
    summary: 'expression cut off by a comment',
    rationale: 'A space followed by `#` begins a comment in YAML, even in the middle of what was meant as one string.',
    remedy: 'Put quotes around the string.',
    bad: {
      kind: 'policy',
      text: `inbound:
  - expressions:
      - req.Path.contains(' #')
    actions:
      - type: deny
`,
    },
    good: {
      kind: 'policy',
      text: `inbound:
  - expressions:
      - "req.Path.contains(' #')"
    actions:
      - type: deny
`,
    },
  },
  {
    code: 'yaml/ambiguous-text',
    severity: 'info',
    summary: 'word that YAML 1.1 parsers read as a boolean or number',
    rationale:
      '`no`, `on` and the like are strings in YAML 1.2 and booleans in YAML 1.1, which many tools still implement.',
    remedy: 'Put quotes around the string.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: redirect\n        config: { from: /a, to: off }\n',
    },
    good: {
      kind: 'policy',
      text: "inbound:\n  - actions:\n      - type: redirect\n        config: { from: /a, to: 'off' }\n",
    },
  },
  {
    code: 'yaml/rewritten-number',
    severity: 'info',
    summary: 'number that is stored differently from how it is written',
    rationale:
      '`0x1F`, `1e3` and `007` are numbers, and are stored as `31`, `1000` and `7`. Digits that are an identifier, such as a postal code, would change.',
    remedy: 'Put quotes around a string.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: log\n        config: { metadata: { code: 007 } }\n',
    },
    good: {
      kind: 'policy',
      text: "inbound:\n  - actions:\n      - type: log\n        config: { metadata: { code: '007' } }\n",
    },
  },
  {
    code: 'yaml/trailing-line-break',
    severity: 'warning',
    summary: 'string that ends with a line break',
    rationale: '`|` and `>` keep the final line break, which then becomes an invisible part of a URL or header.',
    remedy: 'Write `|-` or `>-`.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: redirect\n        config:\n          from: /a\n          to: |\n            /b\n',
    },
    good: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: redirect\n        config:\n          from: /a\n          to: |-\n            /b\n',
    },
  },
  {
    code: 'config/colon-in-text',
    severity: 'error',
    summary: 'string that a colon turns into a map',
    rationale:
      'In YAML, a `:` at the end of a string or before a space makes it a key. What was meant as a string becomes a map.',
    remedy: 'Put quotes around the string.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: restrict-ips\n        config:\n          ip_policies:\n            - office: main\n',
    },
    good: {
      kind: 'policy',
      text: "inbound:\n  - actions:\n      - type: restrict-ips\n        config:\n          ip_policies:\n            - 'office: main'\n",
    },
  },
  {
    code: 'yaml/byte-order-mark',
    severity: 'error',
    summary: 'byte order mark inside the document',
    rationale:
      'The mark belongs at the start of a file. Concatenating files leaves it in the middle, where some YAML parsers reject it and others keep it as an invisible character.',
    remedy: 'Remove it.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "a \ufeff"\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - name: "a"\n    actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-merge',
    severity: 'error',
    summary: 'merge of a value that is not a map',
    rationale: '`<<` adds the entries of other maps to this one. A string or a list has no entries.',
    remedy: 'Refer to a map, or put quotes around `<<` if it is meant as a key.',
    bad: { kind: 'policy', text: 'inbound:\n  - <<: deny\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - &first { actions: [{ type: deny }] }\n  - <<: *first\n' },
  },
  {
    code: 'yaml/hidden-key',
    severity: 'info',
    summary: 'entry hidden by another merge',
    rationale: 'When two maps are merged, the first one wins. The entry of the second map has no effect.',
    remedy: 'Remove it from the second map, or write the entry itself, which overrides both.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - &a { name: a, actions: [{ type: log }] }\n  - &b { name: b, actions: [{ type: deny }] }\n  - <<: [*a, *b]\n',
    },
    good: { kind: 'policy', text: 'inbound:\n  - &a { name: a, actions: [{ type: log }] }\n  - <<: *a\n' },
  },
];
