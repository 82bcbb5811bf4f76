import type { CodeDescription } from '@tollgate/diagnostics';

/** Bounds of documents, and files of settings. */
export const DOCUMENT_CODES: readonly CodeDescription[] = [
  {
    code: 'limit/document-size',
    severity: 'error',
    summary: 'document that is too long',
    rationale:
      'Documents have a maximum length, so that a hostile one costs no more than an error message. Real policies are far below it.',
    bad: { kind: 'policy', text: '# …\ninbound: []\n', stands: { mark: '…', for: 'a', times: 1_000_000 } },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'limit/document-depth',
    severity: 'error',
    summary: 'document that is nested too deeply',
    rationale: 'Lists and maps have a maximum nesting depth. A policy needs only a handful of levels.',
    bad: { kind: 'json', text: '{"inbound": …', stands: { mark: '…', for: '[', times: 100 } },
    good: { kind: 'json', text: '{"inbound": []}' },
  },
  {
    code: 'limit/document-nodes',
    severity: 'error',
    summary: 'document with too many values',
    rationale:
      'Aliases of lists of aliases multiply: a few lines expand to billions of values. A value counts each time it is referenced.',
    remedy: 'Write the values out instead of using aliases, or split the policy.',
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
    summary: 'document with too many YAML tokens',
    rationale:
      'Indicators and line breaks take work to parse even where they produce no value. Their number is limited, so that a hostile document costs no more than an error message.',
    bad: { kind: 'policy', text: '{ …inbound: [] }\n', stands: { mark: '…', for: '#\n', times: 200_001 } },
    good: { kind: 'policy', text: 'inbound: []\n' },
  },
  {
    code: 'name/deprecated-variable',
    severity: 'hint',
    summary: 'deprecated variable',
    rationale: 'The edge still provides the variable. New policies should use its replacement.',
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
    summary: 'policy with too many rules',
    rationale: 'The number of rules in a policy is limited. Plans differ, so an extension file can set another limit.',
    remedy: 'Merge rules that differ in a single value: `in` takes a list.',
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
    summary: 'rule with too many expressions',
    rationale: 'The number of expressions in a rule is limited; an extension file can set another limit.',
    remedy: 'Join expressions with `&&`, or split the rule.',
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
    summary: 'rule with too many actions',
    rationale: 'The number of actions in a rule is limited; an extension file can set another limit.',
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
    summary: 'policy that cannot be formatted where it is embedded',
    rationale:
      'A policy inside the braces of a larger document shares its lines with that document, so it cannot be laid out on its own.',
    remedy: 'Format the whole file, or write the surrounding document without braces.',
    withoutExample: 'it needs a larger document, one part of which `tollgate fmt FILE#/path` formats',
  },
  {
    code: 'format/in-carrier',
    severity: 'error',
    summary: 'policy whose new text cannot be written where it is embedded',
    rationale:
      'A policy in a plain, single-quoted or folded scalar, or in a Terraform object, cannot have line breaks or characters that this notation lacks. The file is left unchanged.',
    remedy: 'Write the policy as a block scalar with `|` in YAML, or as a heredoc in Terraform.',
    withoutExample: 'it needs a file of another kind, with the policy in a quoted scalar',
  },
  {
    code: 'settings/invalid',
    severity: 'error',
    summary: 'invalid setting',
    rationale:
      'A project file (`tollgate.yaml`) or an extension (`--env`) has an invalid value. Nothing is checked until it is fixed, because the settings decide what counts as an error.',
    remedy: 'The message says what was expected and where.',
    bad: { kind: 'extension', text: 'variables:\n  - pth: req.tenant\n    type: string\n' },
    good: { kind: 'extension', text: 'variables:\n  - path: req.tenant\n    type: string\n' },
  },
  {
    code: 'settings/untrusted-module',
    severity: 'warning',
    summary: 'module that does not run, because nobody has trusted it',
    rationale:
      'Lint rules and extensions in modules are code, and code of a repository runs only where the user said so: a clone of somebody else’s repository must not run anything because a file is opened. Without the module, its lint rules find nothing, and its names are unknown.',
    remedy: 'Review the module, then run `tollgate trust DIRECTORY` once, or trust the workspace in the editor.',
    withoutExample: 'it depends on what the user trusts; editors show it in `tollgate.yaml`',
  },
  {
    code: 'settings/unknown-name',
    severity: 'error',
    summary: 'extension that removes a name no profile has',
    rationale:
      'What an extension removes must exist in some profile. Otherwise a misspelled name would silently remove nothing.',
    bad: { kind: 'extension', text: 'remove:\n  actions: [dny]\n' },
    good: { kind: 'extension', text: 'remove:\n  actions: [deny]\n' },
  },
  {
    code: 'settings/bad-declaration',
    severity: 'error',
    summary: 'invalid declaration in an extension',
    rationale:
      'No environment can be created from a type that does not exist, a body that does not check, or a name that is already taken.',
    remedy: 'The message says what is wrong.',
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
