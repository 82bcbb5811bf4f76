import type { CodeDescription } from '@tollgate/diagnostics';

/** Bounds of documents, and files of settings. */
export const DOCUMENT_CODES: readonly CodeDescription[] = [
  {
    code: 'limit/document-size',
    severity: 'error',
    summary: 'a document that is too long',
    rationale:
      'Documents have a greatest length, so that a hostile one costs no more than a message. No policy comes near it.',
    bad: { kind: 'policy', text: '# …\ninbound: []\n', stands: { mark: '…', for: 'a', times: 1_000_000 } },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'limit/document-depth',
    severity: 'error',
    summary: 'a document that is nested too deeply',
    rationale: 'Lists and maps inside each other have a greatest depth. A policy needs a handful of levels.',
    bad: { kind: 'json', text: '{"inbound": …', stands: { mark: '…', for: '[', times: 100 } },
    good: { kind: 'json', text: '{"inbound": []}' },
  },
  {
    code: 'limit/document-nodes',
    severity: 'error',
    summary: 'a document with too many values',
    rationale:
      'Aliases that stand for lists of aliases multiply: a few lines become billions of values. They are counted as often as they are used.',
    remedy: 'Write out what is meant, or divide the policy.',
    bad: {
      kind: 'json',
      text: '{"inbound": […0]}',
      stands: { mark: '…', for: '0,', times: 200_000 },
    },
    good: { kind: 'json', text: '{"inbound": []}' },
  },
  {
    code: 'limit/document-tokens',
    severity: 'error',
    summary: 'a document of too many pieces',
    rationale:
      'Indicators and line breaks that make no values make work all the same. Their number is bounded, so that a hostile document costs no more than a message.',
    bad: { kind: 'policy', text: '{ …inbound: [] }\n', stands: { mark: '…', for: '#\n', times: 200_001 } },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'name/deprecated-variable',
    severity: 'hint',
    summary: 'a variable that has been replaced',
    rationale: 'The edge still has it. New policies use what replaced it.',
    bad: {
      kind: 'policy',
      text: "inbound:\n  - expressions:\n      - conn.start_ts < timestamp('2030-01-01T00:00:00Z')\n    actions:\n      - type: log\n",
      profile: 'edge-v2-snake',
    },
    good: {
      kind: 'policy',
      text: "inbound:\n  - expressions:\n      - conn.ts.start < timestamp('2030-01-01T00:00:00Z')\n    actions:\n      - type: log\n",
      profile: 'edge-v2-snake',
    },
  },
  {
    code: 'limit/rules',
    severity: 'error',
    summary: 'a policy with too many rules',
    rationale: 'The number of rules of a policy is bounded; an extension file may set another bound, as plans differ.',
    remedy: 'Join rules that differ in a value only: `in` takes a list.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n…',
      stands: { mark: '…', for: '  - actions: [{ type: log }]\n', times: 10_001 },
    },
    good: { kind: 'policy', text: 'inbound:\n  - actions: [{ type: log }]\n' },
  },
  {
    code: 'limit/expressions',
    severity: 'error',
    summary: 'a rule with too many expressions',
    rationale: 'The number of expressions of a rule is bounded; an extension file may set another bound.',
    remedy: 'Join expressions with `&&`, or divide the rule.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions: [{ type: log }]\n    expressions:\n…',
      stands: { mark: '…', for: "      - 'true'\n", times: 1001 },
    },
    good: { kind: 'policy', text: "inbound:\n  - actions: [{ type: log }]\n    expressions:\n      - 'true'\n" },
  },
  {
    code: 'limit/actions',
    severity: 'error',
    summary: 'a rule with too many actions',
    rationale: 'The number of actions of a rule is bounded; an extension file may set another bound.',
    bad: {
      kind: 'policy',
      text: 'inbound:\n  - actions:\n…',
      stands: { mark: '…', for: '      - type: log\n', times: 1001 },
    },
    good: { kind: 'policy', text: 'inbound:\n  - actions:\n      - type: log\n' },
  },
  {
    code: 'format/in-brackets',
    severity: 'error',
    summary: 'a part of a file that cannot be formatted where it stands',
    rationale:
      'A policy in braces inside of something else has no lines of its own that its layout could be changed on.',
    remedy: 'Format the whole file, or write what is around the policy without braces.',
    withoutExample: 'it takes a file of something else, of which `tollgate fmt FILE#/path` formats a part',
  },
  {
    code: 'settings/invalid',
    severity: 'error',
    summary: 'something wrong in a file of settings',
    rationale:
      'A project file (`tollgate.yaml`) or an extension (`--env`) says something that cannot be. Nothing is checked before that is ' +
      'mended: what it settles decides what is an error.',
    remedy: 'The message says what was expected, at its place in the file.',
    bad: { kind: 'extension', text: 'variables:\n  - pth: req.tenant\n    type: string\n' },
    good: { kind: 'extension', text: 'variables:\n  - path: req.tenant\n    type: string\n' },
  },
  {
    code: 'settings/unknown-name',
    severity: 'error',
    summary: 'a name in an extension that no profile has',
    rationale:
      'What an extension takes away must be there in some profile. A misspelt name would take away nothing, without anyone noticing.',
    bad: { kind: 'extension', text: 'remove:\n  actions: [dny]\n' },
    good: { kind: 'extension', text: 'remove:\n  actions: [deny]\n' },
  },
  {
    code: 'settings/bad-declaration',
    severity: 'error',
    summary: 'a declaration in an extension that cannot be made',
    rationale:
      'A type that does not exist, a body that does not check, a name that is taken: no environment can be made with it.',
    remedy: 'The message says why.',
    bad: {
      kind: 'extension',
      text: 'functions:\n  - name: isLocal\n    params: [{ name: path, type: string }]\n    result: bool\n    body: path\n',
    },
    good: {
      kind: 'extension',
      text: "functions:\n  - name: isLocal\n    params: [{ name: path, type: string }]\n    result: bool\n    body: path.startsWith('/')\n",
    },
  },
];
