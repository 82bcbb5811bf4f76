// Codes of documents as a whole, and of JSON.

import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

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
    code: 'format/embedded',
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

const json = (text: string): CodeExample => ({ kind: 'json', text });
const GOOD_JSON = json('{"inbound": [{"actions": [{"type": "deny"}]}]}');

/** Errors in JSON. The reader recovers from all of them and goes on. */
export const JSON_CODES: readonly CodeDescription[] = [
  {
    code: 'json/comment',
    severity: 'error',
    summary: 'comment in JSON',
    rationale: 'JSON has no comments, and the service rejects documents that contain any.',
    remedy: 'Remove the comment, or write the policy in YAML.',
    bad: json('{"inbound": [] /* nothing */}'),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/single-quotes',
    severity: 'error',
    summary: 'string in single quotes',
    rationale: 'JSON strings are in double quotes. Use single quotes for string literals inside expressions.',
    bad: json("{'inbound': []}"),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/unclosed-text',
    severity: 'error',
    summary: 'unterminated string',
    rationale: 'A JSON string ends on the line where it begins.',
    bad: json('{"inbound": [{"name": "robots, "actions": [{"type": "deny"}]}]}'),
    good: json('{"inbound": [{"name": "robots", "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/bad-escape',
    severity: 'error',
    summary: 'backslash that does not begin a JSON escape',
    rationale: 'In strings, a backslash begins an escape. Regular expressions have escapes that JSON does not know.',
    remedy: 'Double the backslash.',
    bad: json('{"inbound": [{"expressions": ["req.Path.matches(r\'\\d\')"], "actions": [{"type": "deny"}]}]}'),
    good: json('{"inbound": [{"expressions": ["req.Path.matches(r\'\\\\d\')"], "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/control-character',
    severity: 'error',
    summary: 'control character in a string',
    rationale: 'In JSON strings, line breaks, tabs and other control characters must be written as escapes.',
    remedy: 'Write `\\n`, `\\t` or `\\u0007`.',
    bad: json('{"inbound": [{"name": "a\tb", "actions": [{"type": "deny"}]}]}'),
    good: json('{"inbound": [{"name": "a\\tb", "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/bad-value',
    severity: 'error',
    summary: 'word that is not a JSON value',
    rationale:
      'Besides strings, lists and maps, JSON has only numbers, `true`, `false` and `null`, spelled exactly like this.',
    remedy: 'Put double quotes around a string.',
    bad: json('{"enabled": True, "inbound": []}'),
    good: json('{"enabled": true, "inbound": []}'),
  },
  {
    code: 'json/text-behind-end',
    severity: 'error',
    summary: 'content after the JSON value',
    rationale: 'A JSON document is a single value. Anything after it is ignored.',
    bad: json('{"inbound": []} {"outbound": []}'),
    good: json('{"inbound": [], "outbound": []}'),
  },
  {
    code: 'json/missing-value',
    severity: 'error',
    summary: 'missing value',
    rationale: 'A key needs a value after its `:`.',
    bad: json('{"inbound": }'),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/missing-colon',
    severity: 'error',
    summary: 'missing `:` after a key',
    rationale: 'A `:` separates a key from its value.',
    bad: json('{"inbound" []}'),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/unquoted-key',
    severity: 'error',
    summary: 'key without quotes',
    rationale: 'JSON keys are in double quotes.',
    bad: json('{inbound: []}'),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/trailing-comma',
    severity: 'error',
    summary: 'trailing comma',
    rationale: 'In JSON, commas are allowed only between values.',
    bad: json('{"inbound": [],}'),
    good: json('{"inbound": []}'),
  },
  {
    code: 'json/missing-comma',
    severity: 'error',
    summary: 'missing comma between two values',
    rationale: 'Commas separate the values of a list and the entries of a map.',
    bad: json('{"inbound": [] "outbound": []}'),
    good: json('{"inbound": [], "outbound": []}'),
  },
  {
    code: 'json/unclosed-bracket',
    severity: 'error',
    summary: 'unmatched bracket',
    rationale:
      'Every `[` and `{` needs a closing bracket of the same kind. The message shows the one that is still open.',
    bad: json('{"inbound": [{"actions": [{"type": "deny"}]}}'),
    good: GOOD_JSON,
  },
  {
    code: 'json/duplicate-key',
    severity: 'error',
    summary: 'duplicate key in a map',
    rationale:
      'JSON parsers keep one of the two entries, and not all keep the same one. The rules in the other entry would be lost without a warning.',
    remedy: 'Merge the two entries.',
    bad: json('{"inbound": [], "inbound": [{"actions": [{"type": "deny"}]}]}'),
    good: GOOD_JSON,
  },
];
