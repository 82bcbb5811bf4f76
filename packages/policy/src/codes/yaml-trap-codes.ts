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
    summary: 'an expression that YAML takes for a tag',
    rationale:
      'A value that begins with `!` is a tag in YAML. Conditions that begin with a negation are the way in which policies come to have some.',
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
    summary: 'a text that YAML takes for something else',
    rationale:
      'A value that begins with a quote, a bracket, a brace, `*`, `|` or `>` is read as YAML of another kind, which ends where that ends.',
    remedy: 'Put quotes of the other kind around the whole.',
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
    summary: 'a text that begins with a character that YAML keeps for itself',
    rationale: 'Texts without quotes cannot begin with `@`, `%` or a backtick.',
    remedy: 'Put quotes around the text.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: @home\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/comment-in-text',
    severity: 'error',
    summary: 'an expression that a comment cuts off',
    rationale: 'A space and `#` begin a comment in YAML, also in the middle of what was meant as one text.',
    remedy: 'Put quotes around the text.',
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
    summary: 'a word that other readers of YAML take for a truth value or a number',
    rationale:
      '`no`, `on` and the like are texts in YAML 1.2 and truth values in YAML 1.1, which many tools still read.',
    remedy: 'Put quotes around the text.',
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
    summary: 'a number that is not written as it will be stored',
    rationale:
      '`0x1F`, `1e3` and `007` are numbers, and are given back as `31`, `1000` and `7`. Where digits were meant as a text, such as a postcode, something else is stored.',
    remedy: 'Put quotes around a text.',
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
    summary: 'a text that ends with a line break',
    rationale:
      '`|` and `>` keep the line break at the end, which becomes a part of a URL or a header, where nobody sees it.',
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
    summary: 'a text that a colon makes a map',
    rationale:
      'A `:` at the end of a text or before a space begins a value in YAML. What was meant as a text becomes a map.',
    remedy: 'Put quotes around the text.',
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
      'The mark belongs to the beginning of a file. Joining files leaves it in the middle, where some readers of YAML refuse it and others take it for a character that nobody sees and nothing equals.',
    remedy: 'Remove it.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "a \ufeff"\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - name: "a"\n    actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-merge',
    severity: 'error',
    summary: 'a merge of something that is no map',
    rationale: '`<<` puts the entries of other maps into this one. A text or a list has none.',
    remedy: 'Name a map, or put quotes around the key where it is meant as one.',
    bad: { kind: 'policy', text: 'inbound:\n  - <<: deny\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - &first { actions: [{ type: deny }] }\n  - <<: *first\n' },
  },
  {
    code: 'yaml/hidden-key',
    severity: 'info',
    summary: 'an entry that another merge hides',
    rationale: 'Of two maps that are merged, the first wins. The entry of the second is nowhere to be seen.',
    remedy: 'Leave it out of the second map, or write the entry itself, which wins over both.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - &a { name: a, actions: [{ type: log }] }\n  - &b { name: b, actions: [{ type: deny }] }\n  - <<: [*a, *b]\n',
    },
    good: { kind: 'policy', text: 'inbound:\n  - &a { name: a, actions: [{ type: log }] }\n  - <<: *a\n' },
  },
];
