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
const NAMED: CodeExample = { kind: 'policy', text: 'inbound:\n  - name: "no robots"\n    actions: [{ type: deny }]\n' };

/** What is wrong with YAML. Those that come from the parser have its name for them. */
export const YAML_CODES: readonly CodeDescription[] = [
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
    code: 'yaml/duplicate-key',
    severity: 'error',
    summary: 'a key that a map has twice',
    rationale:
      'Readers of YAML keep one of the two, and not all the same one. Rules under the other one would silently be lost.',
    remedy: 'Join what stands under both keys.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\ninbound:\n  - actions: [{ type: log }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: log }]\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/several-documents',
    severity: 'error',
    summary: 'a second document in the file',
    rationale: '`---` begins another document. Where one policy is expected, the second is ignored.',
    remedy: 'Put each policy into a file of its own, or say which document is meant: `FILE#2`.',
    withoutExample:
      '`tollgate check` reads every document of a file; whoever analyses one policy with the package gets this',
  },
  {
    code: 'yaml/unknown-alias',
    severity: 'error',
    summary: 'an alias without its anchor',
    rationale: '`*name` stands for what `&name` marks earlier in the document. Nothing is marked so.',
    remedy: 'Mark the first one with `&name`, or put quotes around a text that begins with `*`.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: *blocked\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &blocked [{ type: deny }]\n  - actions: *blocked\n' },
  },
  {
    code: 'yaml/cyclic-alias',
    severity: 'error',
    summary: 'an alias for what it stands in',
    rationale: 'The value would contain itself without end.',
    remedy: 'Write out what is meant.',
    bad: { kind: 'policy', text: 'inbound: &all\n  - actions: *all\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/key-type',
    severity: 'error',
    summary: 'a key that is no text',
    rationale:
      'Keys of policies are names. A list or a map as a key cannot be written as JSON, which is what is published.',
    remedy: 'Write the name, in quotes where it looks like something else.',
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
    summary: 'a control character in the document',
    rationale: 'YAML allows no control characters but tabs and line breaks: nobody sees them, and terminals obey them.',
    remedy: 'Write the character as an escape in double quotes: `"\\u0007"`.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "bell \u0007"\n    actions: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - name: "bell \\u0007"\n    actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-dq-escape',
    severity: 'error',
    summary: 'a backslash that begins no escape of YAML',
    rationale: 'In double quotes a backslash begins an escape. Patterns have escapes that YAML does not know.',
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
    summary: 'a tab at the beginning of a line',
    rationale: 'YAML counts columns, and nobody agrees on how wide a tab is. Indentation is spaces only.',
    remedy: 'Replace the tab by spaces. `tollgate fmt` indents by two.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions:\n\t- type: deny\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions:\n      - type: deny\n' },
  },
  {
    code: 'yaml/bad-indent',
    severity: 'error',
    summary: 'a line that is not indented like its neighbours',
    rationale: 'What belongs together stands in one column. A line between two columns belongs to nothing.',
    remedy: 'Indent it like its neighbours.',
    bad: { kind: 'policy', text: 'inbound:\n    - actions: [{ type: deny }]\n  enabled: true\n' },
    good: { kind: 'policy', text: 'inbound:\n    - actions: [{ type: deny }]\nenabled: true\n' },
  },
  {
    code: 'yaml/missing-char',
    severity: 'error',
    summary: 'a quote, bracket or space that is missing',
    rationale: 'A text in quotes or a list in brackets does not end, or `,` or `:` is missing inside.',
    remedy: 'The message says which character was expected.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: "no robots\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/unexpected-token',
    severity: 'error',
    summary: 'something that YAML does not allow here',
    rationale: 'A bracket, a comma or another indicator stands where a value or the end was expected.',
    remedy: 'Remove it, or put quotes around the text that it belongs to.',
    bad: { kind: 'policy', text: 'inbound: []]\n' },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'yaml/block-as-implicit-key',
    severity: 'error',
    summary: 'a map that begins in the middle of a line',
    rationale:
      '`a: b: c` would be a map inside a map on one line, which YAML does not allow. Mostly `: ` belongs to a text.',
    remedy: 'Put quotes around the text.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: note: no robots\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/multiline-implicit-key',
    severity: 'error',
    summary: 'a key over several lines',
    rationale: 'A key and its `:` stand on one line. Often a `:` or a quote is missing on the line before.',
    bad: { kind: 'policy', text: 'inbound:\n  - "na\n    me": a\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/block-in-flow',
    severity: 'error',
    summary: 'an indented list or map inside brackets',
    rationale: 'Inside brackets and braces everything is separated by commas; `- ` is not allowed there.',
    remedy: 'Write the whole in lines, or the whole in brackets.',
    bad: { kind: 'policy', text: 'inbound: [\n  - actions: [{ type: deny }]\n]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: deny }]\n' },
  },
  {
    code: 'yaml/bad-collection-type',
    severity: 'error',
    summary: 'a tag on a value of another kind',
    rationale: '`!!set`, `!!map` and `!!seq` say that a map or a list follows.',
    remedy: 'Leave the tag out.',
    bad: { kind: 'policy', text: '{ inbound: !!set [{ actions: [{ type: deny }] }] }\n' },
    good: { kind: 'policy', text: '{ inbound: [{ actions: [{ type: deny }] }] }\n' },
  },
  {
    code: 'yaml/bad-alias',
    severity: 'error',
    summary: 'an alias whose name YAML does not allow',
    rationale: 'The name of an anchor or alias may not be empty, nor end with `:`.',
    remedy: 'Put a space before the `:`, or give it another name.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a: [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n' },
  },
  {
    code: 'yaml/alias-props',
    severity: 'error',
    summary: 'an alias with an anchor or a tag of its own',
    rationale: 'An alias is the value that it stands for, and cannot be marked anew.',
    remedy: 'Leave the anchor or the tag before the alias out.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n  - actions: &b *a\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n  - actions: *a\n' },
  },
  {
    code: 'yaml/multiple-anchors',
    severity: 'error',
    summary: 'a value with two anchors',
    rationale: 'A value has one anchor at most.',
    bad: { kind: 'policy', text: 'inbound:\n  - actions: &a &b [{ type: deny }]\n' },
    good: { kind: 'policy', text: 'inbound:\n  - actions: &a [{ type: deny }]\n' },
  },
  {
    code: 'yaml/multiple-tags',
    severity: 'error',
    summary: 'a value with two tags',
    rationale: 'A value has one tag at most. Policies need none.',
    bad: { kind: 'policy', text: 'inbound:\n  - name: !!str !!str a\n    actions: [{ type: deny }]\n' },
    good: NAMED,
  },
  {
    code: 'yaml/bad-directive',
    severity: 'error',
    summary: 'a directive that is not understood',
    rationale: 'Lines that begin with `%` before `---` are directives for the reader of YAML. Policies need none.',
    remedy: 'Remove the line.',
    bad: { kind: 'policy', text: '\ufeff%YAML\n---\ninbound: []\n' },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'yaml/key-over-1024-chars',
    severity: 'error',
    summary: 'a key that is too long',
    rationale: 'YAML allows 1,024 characters for a key without `?`. Mostly the `:` was meant as part of a text.',
    remedy: 'Put quotes around the text.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - …: a\n    actions: [{ type: deny }]\n',
      stands: { mark: '…', for: 'a', times: 1100 },
    },
    good: NAMED,
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
    code: 'yaml/colon-in-text',
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
    severity: 'warning',
    summary: 'a byte order mark inside of the text',
    rationale:
      'The mark belongs to the beginning of a file. Joining files leaves it in the middle, where it is a character that nobody sees and nothing equals.',
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
  {
    code: 'yaml/bad-prop-order',
    severity: 'error',
    summary: 'an anchor or a tag at the wrong place',
    rationale: 'Anchors and tags stand before the value, on its line or before the list or map that follows.',
    bad: { kind: 'policy', text: '&a ? inbound\n: []\n' },
    good: { kind: 'policy', text: '? &a inbound\n: []\n' },
  },
];
