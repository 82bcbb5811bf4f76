import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const NAMED: CodeExample = { kind: 'policy', text: 'inbound:\n  - name: "no robots"\n    actions: [{ type: deny }]\n' };

/** What is wrong with YAML. Those that come from the parser have its name for them. */
export const YAML_CODES: readonly CodeDescription[] = [
  {
    code: 'yaml/duplicate-key',
    severity: 'error',
    summary: 'duplicate key in a map',
    rationale:
      'YAML parsers keep one of the two entries, and not all keep the same one. The rules in the other entry would be lost without a warning.',
    remedy: 'Merge the two entries.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\ninbound:\n  - actions: [{ type: log }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: log }]\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/several-documents',
    severity: 'error',
    summary: 'second document in the file',
    rationale: '`---` begins another document. Where a single policy is expected, the second one is ignored.',
    remedy: 'Put each policy in a file of its own, or select a document: `FILE#2`.',
    withoutExample:
      '`tollgate check` reads every document of a file; only the function that analyzes a single policy reports this',
  },
  {
    code: 'yaml/unknown-alias',
    severity: 'error',
    summary: 'alias without an anchor',
    rationale: '`*name` refers to the value that `&name` marks earlier in the document. No anchor has that name.',
    remedy: 'Add the anchor `&name`, or put quotes around a string that begins with `*`.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: *blocked\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &blocked [{ type: deny }]\n  - actions: *blocked\n' },
  },
  {
    code: 'yaml/cyclic-alias',
    severity: 'error',
    summary: 'alias that refers to a value containing it',
    rationale: 'The value would contain itself without end.',
    remedy: 'Write the value out instead of using an alias.',
    bad: { kind: 'policy', text: 'inbound: &all\n  - actions: *all\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/key-type',
    severity: 'error',
    summary: 'mapping key that is not a string',
    rationale:
      'The keys of a policy are names. A policy is published as JSON, which cannot have a list or a map as a key.',
    remedy: 'Write the name, in quotes if YAML would read it as another type.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: deny\n        config:\n          ? [a]\n          : 1\n',
    },
    good: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 404\n',
    },
  },
  {
    code: 'yaml/control-character',
    severity: 'error',
    summary: 'control character in the document',
    rationale:
      'YAML allows no control characters except tabs and line breaks: they are invisible, and terminals act on them.',
    remedy: 'Write the character as an escape in double quotes: `"\\u0007"`.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "bell \u0007"\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - name: "bell \\u0007"\n    actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/lone-carriage-return',
    severity: 'error',
    summary: 'carriage return without a line feed',
    rationale:
      'In YAML 1.2 a carriage return ends a line; many parsers read on. What follows is a policy key to one parser and part of a comment or string to another, so the same file would mean two policies.',
    remedy: 'End lines with a line feed. In a string, write `\\r` in double quotes.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }] # always\routbound: []\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }] # always\noutbound: []\n' },
  },
  {
    code: 'yaml/ambiguous-line-break',
    severity: 'error',
    summary: 'line break of YAML 1.1 only',
    rationale:
      'U+0085, U+2028 and U+2029 end a line in YAML 1.1, as in many Go, Python and Ruby parsers, and are ordinary characters in YAML 1.2. The same file would mean two policies.',
    remedy: 'Remove the character. In a string, write `\\N`, `\\L` or `\\P` in double quotes.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "no\u2028robots"\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - name: "no\\Lrobots"\n    actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-dq-escape',
    severity: 'error',
    summary: 'backslash that does not begin a YAML escape',
    rationale:
      'In double quotes, a backslash begins an escape. Regular expressions have escapes that YAML does not know.',
    remedy: 'Use single quotes, which have no escapes, or double the backslash.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n      - type: url-rewrite\n        config: { from: "/(\\d+)", to: /x }\n',
    },
    good: {
      kind: 'policy',
      text: "inbound:\n  - actions:\n      - type: url-rewrite\n        config: { from: '/(\\d+)', to: /x }\n",
    },
  },
  {
    code: 'yaml/tab-as-indent',
    severity: 'error',
    summary: 'tab used for indentation',
    rationale: 'YAML allows only spaces, because the width of a tab is not defined.',
    remedy: 'Replace the tab with spaces. `tollgate fmt` indents by two.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions:\n\t- type: deny\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions:\n      - type: deny\n' },
  },
  {
    code: 'yaml/bad-indent',
    severity: 'error',
    summary: 'line indented differently from its siblings',
    rationale: 'Entries that belong together start in the same column. A line between two levels belongs to neither.',
    remedy: 'Indent it like its siblings.',
    bad: { kind: 'policy', text: 'inbound:\n    - actions: [{ type: deny }]\n  enabled: true\n' },
    good: { kind: 'policy', text: 'inbound:\n    - actions: [{ type: deny }]\nenabled: true\n' },
  },
  {
    code: 'yaml/missing-char',
    severity: 'error',
    summary: 'missing quote, bracket or space',
    rationale: 'A quoted string or a bracketed list does not end, or a `,` or `:` is missing inside it.',
    remedy: 'The message says which character was expected.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "no robots\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/unexpected-token',
    severity: 'error',
    summary: 'unexpected character',
    rationale: 'A bracket, a comma or another indicator is in a place where YAML expects a value or the end.',
    remedy: 'Remove it, or put quotes around the string it belongs to.',
    bad: { kind: 'policy', text: 'inbound: []]\n' },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'yaml/block-as-implicit-key',
    severity: 'error',
    summary: 'map that begins in the middle of a line',
    rationale:
      '`a: b: c` would be a map inside a map on one line, which YAML does not allow. Usually the second `: ` is part of a string.',
    remedy: 'Put quotes around the string.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: note: no robots\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/multiline-implicit-key',
    severity: 'error',
    summary: 'key that spans several lines',
    rationale: 'A key and its `:` must be on one line. Often a `:` or a quote is missing on the line before.',
    bad: { kind: 'policy', text: 'inbound:\n  - "na\n    me": a\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/block-in-flow',
    severity: 'error',
    summary: 'indented list or map inside brackets',
    rationale: 'Inside brackets and braces, commas separate the items; `- ` is not allowed there.',
    remedy: 'Write the whole list either in lines or in brackets.',
    bad: { kind: 'policy', text: 'inbound: [\n  - actions: [{ type: deny }]\n]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-collection-type',
    severity: 'error',
    summary: 'tag on a value of another type',
    rationale: '`!!set` and `!!map` must be followed by a map, `!!seq` by a list.',
    remedy: 'Remove the tag.',
    bad: { kind: 'policy', text: '{ inbound: !!set [{ actions: [{ type: deny }] }] }\n' },
    good: { kind: 'policy', text: '{ inbound: [{ actions: [{ type: deny }] }] }\n' },
  },
  {
    code: 'yaml/bad-alias',
    severity: 'error',
    summary: 'invalid name of an anchor or alias',
    rationale: 'The name of an anchor or alias must not be empty and must not end with `:`.',
    remedy: 'Put a space before the `:`, or choose another name.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n' },
  },
  {
    code: 'yaml/alias-props',
    severity: 'error',
    summary: 'alias with an anchor or tag of its own',
    rationale: 'An alias stands for an existing value, and cannot have another anchor or tag.',
    remedy: 'Remove the anchor or tag before the alias.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n  - actions: &b *a\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n  - actions: *a\n' },
  },
  {
    code: 'yaml/multiple-anchors',
    severity: 'error',
    summary: 'value with two anchors',
    rationale: 'A value can have only one anchor.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a &b [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n' },
  },
  {
    code: 'yaml/multiple-tags',
    severity: 'error',
    summary: 'value with two tags',
    rationale: 'A value can have only one tag. Policies need none.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: !!str !!str a\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/bad-directive',
    severity: 'error',
    summary: 'invalid directive',
    rationale: 'Lines that begin with `%` before `---` are directives to the YAML parser. Policies need none.',
    remedy: 'Remove the line.',
    bad: { kind: 'policy', text: '\ufeff%YAML\n---\ninbound: []\n' },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'yaml/key-over-1024-chars',
    severity: 'error',
    summary: 'key that is too long',
    rationale: 'YAML limits a key without `?` to 1,024 characters. Usually the `:` is part of a string.',
    remedy: 'Put quotes around the string.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - …: a\n    actions: [{ type: deny }]\n',
      stands: { mark: '…', for: 'a', times: 1100 },
    },
    good: NAMED,
  },
  {
    code: 'yaml/bad-prop-order',
    severity: 'error',
    summary: 'misplaced anchor or tag',
    rationale: 'An anchor or tag comes before its value: on the same line, or on the line before a list or map.',
    bad: { kind: 'policy', text: '&a ? inbound\n: []\n' },
    good: { kind: 'policy', text: '? &a inbound\n: []\n' },
  },
];

const QUOTED: CodeExample = {
  kind: 'policy',
  text: `inbound:
  - expressions:
      - "!('User-Agent' in req.Headers)"
    actions:
      - type: deny
`,
};
const NAMED_NUMBER: CodeExample = {
  kind: 'policy',
  text: 'inbound:\n  - name: "@home"\n    actions: [{ type: deny }]\n',
};

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
    good: NAMED_NUMBER,
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
