import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const policy = (text: string): CodeExample => ({ kind: 'json', text });
const GOOD = policy('{"inbound": [{"actions": [{"type": "deny"}]}]}');

/** Errors in JSON. The reader recovers from all of them and goes on. */
export const JSON_CODES: readonly CodeDescription[] = [
  {
    code: 'json/comment',
    severity: 'error',
    summary: 'comment in JSON',
    rationale: 'JSON has no comments, and the service rejects documents that contain any.',
    remedy: 'Remove the comment, or write the policy in YAML.',
    bad: policy('{"inbound": [] /* nothing */}'),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/single-quotes',
    severity: 'error',
    summary: 'string in single quotes',
    rationale: 'JSON strings are in double quotes. Use single quotes for string literals inside expressions.',
    bad: policy("{'inbound': []}"),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/unclosed-text',
    severity: 'error',
    summary: 'unterminated string',
    rationale: 'A JSON string ends on the line where it begins.',
    bad: policy('{"inbound": [{"name": "robots, "actions": [{"type": "deny"}]}]}'),
    good: policy('{"inbound": [{"name": "robots", "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/bad-escape',
    severity: 'error',
    summary: 'backslash that does not begin a JSON escape',
    rationale: 'In strings, a backslash begins an escape. Regular expressions have escapes that JSON does not know.',
    remedy: 'Double the backslash.',
    bad: policy('{"inbound": [{"expressions": ["req.Path.matches(r\'\\d\')"], "actions": [{"type": "deny"}]}]}'),
    good: policy('{"inbound": [{"expressions": ["req.Path.matches(r\'\\\\d\')"], "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/control-character',
    severity: 'error',
    summary: 'control character in a string',
    rationale: 'In JSON strings, line breaks, tabs and other control characters must be written as escapes.',
    remedy: 'Write `\\n`, `\\t` or `\\u0007`.',
    bad: policy('{"inbound": [{"name": "a\tb", "actions": [{"type": "deny"}]}]}'),
    good: policy('{"inbound": [{"name": "a\\tb", "actions": [{"type": "deny"}]}]}'),
  },
  {
    code: 'json/bad-value',
    severity: 'error',
    summary: 'word that is not a JSON value',
    rationale:
      'Besides strings, lists and maps, JSON has only numbers, `true`, `false` and `null`, spelled exactly like this.',
    remedy: 'Put double quotes around a string.',
    bad: policy('{"enabled": True, "inbound": []}'),
    good: policy('{"enabled": true, "inbound": []}'),
  },
  {
    code: 'json/text-behind-end',
    severity: 'error',
    summary: 'content after the JSON value',
    rationale: 'A JSON document is a single value. Anything after it is ignored.',
    bad: policy('{"inbound": []} {"outbound": []}'),
    good: policy('{"inbound": [], "outbound": []}'),
  },
  {
    code: 'json/missing-value',
    severity: 'error',
    summary: 'missing value',
    rationale: 'A key needs a value after its `:`.',
    bad: policy('{"inbound": }'),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/missing-colon',
    severity: 'error',
    summary: 'missing `:` after a key',
    rationale: 'A `:` separates a key from its value.',
    bad: policy('{"inbound" []}'),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/unquoted-key',
    severity: 'error',
    summary: 'key without quotes',
    rationale: 'JSON keys are in double quotes.',
    bad: policy('{inbound: []}'),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/trailing-comma',
    severity: 'error',
    summary: 'trailing comma',
    rationale: 'In JSON, commas are allowed only between values.',
    bad: policy('{"inbound": [],}'),
    good: policy('{"inbound": []}'),
  },
  {
    code: 'json/missing-comma',
    severity: 'error',
    summary: 'missing comma between two values',
    rationale: 'Commas separate the values of a list and the entries of a map.',
    bad: policy('{"inbound": [] "outbound": []}'),
    good: policy('{"inbound": [], "outbound": []}'),
  },
  {
    code: 'json/unclosed-bracket',
    severity: 'error',
    summary: 'unmatched bracket',
    rationale:
      'Every `[` and `{` needs a closing bracket of the same kind. The message shows the one that is still open.',
    bad: policy('{"inbound": [{"actions": [{"type": "deny"}]}}'),
    good: GOOD,
  },
  {
    code: 'json/duplicate-key',
    severity: 'error',
    summary: 'duplicate key in a map',
    rationale:
      'JSON parsers keep one of the two entries, and not all keep the same one. The rules in the other entry would be lost without a warning.',
    remedy: 'Merge the two entries.',
    bad: policy('{"inbound": [], "inbound": [{"actions": [{"type": "deny"}]}]}'),
    good: GOOD,
  },
];
