// The codes of the command itself, of proofs, of publishing and of policy tests.

import type { CodeDescription } from '@tollgate/diagnostics';

/** The codes that the command itself reports. */
export const COMMAND_CODES: readonly CodeDescription[] = [
  {
    code: 'profile/detected',
    severity: 'info',
    summary: 'how the profile was detected',
    rationale:
      'The profile is detected from the keys and names in a document. If the document has errors, a wrong guess may be the cause; this points to the name that decided.',
    remedy: 'Set the profile with `--profile` or in `tollgate.yaml`.',
    bad: { kind: 'command', text: 'tollgate check test/golden/check/https-route/names-of-a-profile.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'lint/rule-failed',
    severity: 'error',
    summary: 'custom lint rule failed',
    rationale:
      'This lint rule, from a module in `lint.load`, threw an error or reported an invalid finding. All other lint rules ran.',
    remedy: 'Fix the lint rule; `tollgate test-rules` runs its tests. `--rule ID=off` turns it off.',
    withoutExample: 'it needs a module with a failing lint rule',
  },
  {
    code: 'lint/rule-stopped',
    severity: 'error',
    summary: 'custom lint rule timed out',
    rationale:
      'This lint rule, from a module in `lint.load`, took longer on the file than `--rule-timeout` allows. It was stopped and did not run on other files. All other lint rules ran.',
    remedy: 'Fix the lint rule, or allow it more time with `--rule-timeout`.',
    withoutExample: 'it needs a module with a lint rule that does not finish',
  },
  {
    code: 'lint/undecided',
    severity: 'info',
    summary: 'lint rules exceeded their budget',
    rationale:
      'Each lint rule has a fixed budget for proofs about a file. It is counted in steps, not time, so that results do not depend on the machine. The named lint rules used up their budget: what they report is correct, but they may have missed findings.',
    remedy: 'Split the policy, or merge rules that differ only in a literal into one with a list.',
    withoutExample: 'it needs a policy with thousands of rules',
  },
  {
    code: 'lint/internal-error',
    severity: 'error',
    summary: 'internal error in a lint rule',
    rationale:
      'This is a bug in Tollgate. All other lint rules ran and their findings are reported; the exit code is 70.',
    remedy: 'Report the bug, with the file if possible. `--rule ID=off` turns the lint rule off until it is fixed.',
    withoutExample: 'no known file causes this',
  },
  {
    code: 'usage/endpoint',
    kind: 'failure',
    severity: 'error',
    summary: 'endpoint kind unknown to the profile',
    rationale: 'Each profile has its own names for endpoint kinds.',
    remedy: 'Use one of the endpoint kinds that the message lists.',
    bad: {
      kind: 'command',
      text: 'tollgate check --profile edge-v2 --endpoint tcp-endpoint examples/policies/block-bots.yaml',
    },
    good: {
      kind: 'command',
      text: 'tollgate check --profile edge-v2 --endpoint https-route examples/policies/block-bots.yaml',
    },
  },
  {
    code: 'usage/edge',
    kind: 'failure',
    severity: 'error',
    summary: 'edge that a key is limited to, but that does not exist',
    rationale: 'A key that is limited to an edge which does not exist may do nothing, or something else than meant.',
    remedy: 'Name the identifier of an HTTPS, TLS or TCP edge in the database.',
    withoutExample: 'it needs a server database',
  },
  {
    code: 'usage/since',
    kind: 'failure',
    severity: 'error',
    summary: 'invalid start of a list of changes',
    rationale: 'Without a date or an age, it is not known which changes are meant.',
    remedy: 'Pass a date or an age: `2031-12-31`, `7d`, `12h`.',
    withoutExample: 'it needs a server database',
  },
  {
    code: 'usage/expiry',
    kind: 'failure',
    severity: 'error',
    summary: 'invalid or past expiry',
    rationale: 'A key that has already expired would be rejected on its first request.',
    remedy: 'Pass a date or a duration: `2031-12-31`, `90d`, `12h`.',
    withoutExample: 'it needs a server database',
  },
  {
    code: 'usage/number',
    kind: 'failure',
    severity: 'error',
    summary: 'invalid number on the command line',
    rationale: 'The option takes a positive integer.',
    withoutExample: 'it needs a server database',
  },
  {
    code: 'traffic/no-such-record',
    kind: 'failure',
    severity: 'error',
    summary: 'no such record in the recording',
    rationale: 'The number after `#` is the number of an entry, or of a line in a log. The file has no exchange there.',
    remedy: 'Reports of `tollgate replay` show the numbers of exchanges.',
    withoutExample: 'it needs a traffic file',
  },
  {
    code: 'baseline/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'unreadable baseline',
    rationale:
      'The `--baseline` file does not exist, is not a baseline, or has the format of another version. Continuing without it would report every known finding.',
    remedy: 'Write a new one with `tollgate lint --write-baseline`.',
    bad: { kind: 'command', text: 'tollgate lint --baseline missing.json examples/policies/block-bots.yaml' },
    good: { kind: 'command', text: 'tollgate lint examples/policies/block-bots.yaml' },
  },
  {
    code: 'edge/no-json',
    kind: 'failure',
    severity: 'error',
    summary: 'edge is not JSON',
    rationale: '`tollgate replay --edge` takes an edge as returned by the API, in JSON.',
    withoutExample: 'it needs a file',
  },
  {
    code: 'edge/invalid',
    kind: 'failure',
    severity: 'error',
    summary: 'invalid edge',
    rationale: 'An edge has routes with policies, as returned by the API. The message says what is missing or wrong.',
    withoutExample: 'it needs a file',
  },
  {
    code: 'edge/mixed-profiles',
    kind: 'failure',
    severity: 'error',
    summary: 'policies of several profiles in one edge',
    rationale:
      'All policies of an edge are read in one profile, which is detected from them. These have names of several profiles, so some of them would be misread.',
    remedy: 'Migrate the policies to one profile with `tollgate migrate`.',
    withoutExample: 'it needs a file',
  },
  {
    code: 'trust/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'trust list cannot be used',
    rationale:
      'The list decides which code may run, so a damaged list, or one that other users can write to, is ignored. The message names ' +
      'the file or directory.',
    remedy: 'Remove write access for other users, or delete the list and run `tollgate trust` again.',
    withoutExample: 'it depends on file permissions',
  },
  {
    code: 'settings/module',
    kind: 'failure',
    severity: 'error',
    summary: 'settings module cannot be loaded',
    rationale:
      'The module does not exist, has a syntax error, or threw while loading. The message contains the reason.',
    bad: { kind: 'command', text: 'tollgate check --trust --env missing.ts -- examples/policies/block-bots.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'file/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'unreadable file',
    rationale: 'The file does not exist or may not be read. All other files are still checked.',
    bad: { kind: 'command', text: 'tollgate check missing.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'file/none-found',
    kind: 'failure',
    severity: 'error',
    summary: 'no matching files',
    rationale:
      'A run that checks no files would look like one without findings. In directories, files with the extensions `.yaml`, `.yml`, `.json`, `.tf`, `.tofu`, `.md` and `.mdx` are checked.',
    bad: { kind: 'command', text: 'tollgate check examples/*.toml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/*.yaml' },
  },
  {
    code: 'file/several-policies',
    kind: 'failure',
    severity: 'error',
    summary: 'several policies where one is expected',
    rationale:
      'A file can contain several policies, for example one for each Kubernetes resource, but only one can be run or migrated at a time.',
    remedy: 'Name one of them: `FILE#PATH`, as the message shows.',
    withoutExample: 'it needs a file with several policies',
  },
  {
    code: 'usage/no-policy',
    kind: 'failure',
    severity: 'error',
    summary: 'no policy where one is expected',
    rationale:
      'The file was read, but nothing in it is a policy: no key such as `on_http_request` with rules, and no string or code block that has one.',
    remedy: 'Name a file with a policy, or say where it is in the file: `FILE#/spec/policy`.',
    withoutExample: 'it needs a file without a policy',
  },
  {
    code: 'file/not-utf-8',
    kind: 'failure',
    severity: 'error',
    summary: 'file is not valid UTF-8',
    rationale: 'YAML and JSON are read as UTF-8. Guessing another encoding could silently misread the file.',
    remedy: 'Save the file as UTF-8.',
    withoutExample: 'it needs a file with invalid bytes',
  },
  {
    code: 'file/no-revision',
    kind: 'failure',
    severity: 'error',
    summary: 'no such revision of the file',
    rationale:
      '`git:REV` names the same file at another revision. The directory is not in a Git repository, the repository has no such revision, or the file is not in it.',
    remedy: 'Name a branch, tag or commit that contains the file under the same name; or a file.',
    withoutExample: 'it needs a Git repository',
  },
  {
    code: 'engine/unreachable',
    kind: 'failure',
    severity: 'error',
    summary: 'engine that does not answer',
    rationale: 'The database that `--table` needs refuses the connection, or nothing listens there.',
    remedy: 'Check `--connect`, or the environment variables of the engine.',
    withoutExample: 'it depends on a server',
  },
  {
    code: 'engine/query-failed',
    kind: 'failure',
    severity: 'error',
    summary: 'query that the engine refused or did not finish',
    rationale: 'The message is that of the engine. A replay reports all figures or none, so nothing is reported.',
    withoutExample: 'it depends on a server',
  },
  {
    code: 'engine/unreadable-table',
    kind: 'failure',
    severity: 'error',
    summary: 'table that does not hold traffic as mapped',
    rationale:
      'No column holds a field, a mapped column does not exist, its type has no meaning for a field, or rows were added while the table was read.',
    remedy: 'Map fields to columns with `--fields`, or to expressions with `sql` in a `--mapping` file.',
    withoutExample: 'it depends on a server',
  },
  {
    code: 'engine/unwritable-table',
    kind: 'failure',
    severity: 'error',
    summary: 'table that results cannot be written to',
    rationale:
      'The user may not create or fill the table of `--into`, it exists, or it lacks a column. Nothing was written.',
    remedy: 'Name a table in a schema that you may write to, or one that exists with `--append`.',
    withoutExample: 'it depends on a server',
  },
  {
    code: 'engine/client-missing',
    kind: 'failure',
    severity: 'error',
    summary: 'engine whose client is not installed',
    rationale: 'Clients of databases are optional, because few users need each of them.',
    withoutExample: 'it depends on the installation',
  },
  {
    code: 'engine/unsuited',
    kind: 'failure',
    severity: 'error',
    summary: 'policy that cannot be replayed on a table',
    rationale:
      'Decisions depend on the order of exchanges, on random numbers, or on too many values, so that records cannot be grouped.',
    remedy: 'Export the records, and replay them without `--table`.',
    withoutExample: 'it depends on a server',
  },
  {
    code: 'compile/unsupported',
    severity: 'error',
    summary: 'construct that cannot be compiled',
    rationale:
      'The target of `tollgate compile` cannot express this construct so that it decides exactly the same, or cannot yet. Nothing is written, because a policy that decides almost the same is a trap.',
    remedy: 'Rewrite the condition with supported constructs, or evaluate the policy with `@tollgate/core`.',
    withoutExample: 'it depends on the target',
  },
  {
    code: 'enforce/unsupported',
    severity: 'error',
    summary: 'rule that cannot be enforced here',
    rationale:
      'The policy reads something that the server which is to enforce it cannot know, or has an action that only the edge can carry out. It is refused, because a policy that is enforced in part is a trap.',
    remedy: 'Leave this rule to the edge, or to the server behind, and enforce the others.',
    withoutExample: 'it depends on the server',
  },
  {
    code: 'file/exists',
    kind: 'failure',
    severity: 'error',
    summary: 'file already exists',
    rationale: 'A file with that name already exists; it was not overwritten.',
    remedy: 'Choose another name, or move the existing file.',
    withoutExample: 'it depends on existing files',
  },
  {
    code: 'file/no-repository',
    kind: 'failure',
    severity: 'error',
    summary: 'changed files cannot be listed',
    rationale:
      '`--changed` and `--staged` ask Git. It is not installed, the directory is not in a repository, or the revision is unknown. Nothing is checked, because it is not known what changed.',
    remedy: 'Name the files instead, or fetch the revision.',
    withoutExample: 'it depends on the repository',
  },
  {
    code: 'file/unwritable',
    kind: 'failure',
    severity: 'error',
    summary: 'unwritable file',
    rationale:
      'Its directory does not exist or is not writable. Files are replaced atomically, so the old contents are intact.',
    withoutExample: 'it depends on directory permissions',
  },
];

const GOOD_PROOF = { kind: 'command', text: 'tollgate prove examples/invariants/bookshop.invariants.yaml' } as const;
const WRONG_PROOF = { kind: 'command', text: 'tollgate prove test/golden/prove/wrong.invariants.yaml' } as const;

/** The codes that `tollgate prove` reports. */
export const PROVE_CODES: readonly CodeDescription[] = [
  {
    code: 'prove/refuted',
    severity: 'error',
    summary: 'refuted invariant',
    rationale:
      'There is a well-formed request for which the policy does not do what the invariant claims. The message shows it; the simulator confirms it.',
    remedy:
      'Fix the policy, or the invariant if it claims too much. `--write-test` turns the request into a policy test.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/refuted.invariants.yaml' },
    good: GOOD_PROOF,
  },
  {
    code: 'prove/unknown',
    severity: 'error',
    summary: 'invariant that is neither proved nor refuted',
    rationale:
      'The decision depends on something that the solver does not interpret, or the question is too large. The message says what it is.',
    remedy:
      'Rewrite the expression that the message names with tests that are decided (see the guide to proofs), or make the invariant narrower.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/unknown.invariants.yaml' },
    good: GOOD_PROOF,
  },
  {
    code: 'prove/fail-open',
    severity: 'error',
    summary: 'refusal that an evaluation error can skip',
    rationale:
      'A rule whose expression fails does not match. A client that can make the expression fail, for example by leaving a header out, is not refused.',
    remedy: 'Check that the value exists before it is read, for example with `hasReqHeader`.',
    bad: { kind: 'command', text: 'tollgate prove --fail-open test/golden/prove/fail-open.yaml' },
    good: { kind: 'command', text: 'tollgate prove --fail-open examples/policies' },
  },
  {
    code: 'prove/invalid',
    severity: 'error',
    summary: 'invariant without a single claim',
    rationale: 'An invariant claims one thing, and is reported by its name.',
    remedy:
      'Give it exactly one of `never`, `always`, `when` with `implies`, `unreachable` and `never_fails`, and its own name.',
    bad: WRONG_PROOF,
    good: GOOD_PROOF,
  },
  {
    code: 'prove/unknown-rule',
    severity: 'error',
    summary: 'invariant about a rule that the policy does not have',
    rationale: 'The policy has no rule of this name, or several.',
    remedy: 'Write the name of a rule, or its phase and number, as in `inbound 2`.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/mistyped.invariants.yaml' },
    good: GOOD_PROOF,
  },
];

const WITHOUT_EXAMPLE = {
  kind: 'failure',
  severity: 'error',
  withoutExample: 'it needs an API to publish to',
} as const;

/** The codes of failures while publishing. */
export const PUBLISH_CODES: readonly CodeDescription[] = [
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/api',
    summary: 'unavailable API',
    rationale:
      'The Edge Configuration API could not be reached, rejected the key, or responded with something other than JSON. Nothing was written.',
    remedy: 'Check `url`, `apiKey` and `caFile` of the environment.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/certificates',
    summary: 'unusable certificates',
    rationale: 'The file that `caFile` names does not exist or does not contain certificates in PEM format.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/journal',
    summary: 'unusable journal',
    rationale:
      'The journal records what was published, so nothing is written without it. A crash can cut off its last line, which is repaired; any other damage is an error.',
    remedy: 'Restore the file from a backup, or move it away and run `tollgate plan` to see the differences.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/live-policy',
    summary: 'live policy that cannot be run',
    rationale:
      'The live policy has errors, as far as the settings of the project go, so the impact of a new policy is not known.',
    remedy: 'Set the extensions of your edge with `env` in `tollgate.yaml`.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/no-record',
    summary: 'target without a live record',
    rationale: 'The edge or route of a target does not exist, or several match.',
    remedy: 'Check the id, the hostport and the match of the target; an id is always unambiguous.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/no-secret',
    summary: 'unavailable secret',
    rationale:
      'An API key or a secret comes from an environment variable, a file or a command, and is not available there.',
  },
  {
    ...WITHOUT_EXAMPLE,
    code: 'publish/plan',
    summary: 'unusable plan',
    rationale:
      'The plan was edited, was made with another key, is for another URL, or was applied already. Nothing was written.',
    remedy: 'Make a new plan with `tollgate plan --out`.',
  },
];

const GOOD_TEST = { kind: 'command', text: 'tollgate test examples/tests/bookshop.test.yaml' } as const;

/** The codes that `tollgate test` reports for valid test files. */
export const TEST_CODES: readonly CodeDescription[] = [
  {
    code: 'test/failed',
    severity: 'error',
    summary: 'failed policy test',
    rationale:
      'The policy decides the exchange differently from what the test expects. The report shows the rule that decided it, if any.',
    remedy: 'Fix the policy, or the test if it is outdated.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/failed.test.yaml' },
    good: GOOD_TEST,
  },
  {
    code: 'test/coverage',
    severity: 'error',
    summary: 'too much of a policy that no test reaches',
    rationale:
      'The tests of the policy reach fewer of its goals than `--fail-under` or `coverage` in `tollgate.yaml` asks for: rules that match and do not match, parts of conditions that decide, actions that do something, ways in which the policy ends. Goals that are proved impossible do not count.',
    remedy: 'Add tests for what the report underlines.',
    bad: { kind: 'command', text: 'tollgate test --fail-under 100 test/golden/tests/partial.test.yaml' },
    good: GOOD_TEST,
  },
  {
    code: 'test/mutants',
    severity: 'error',
    summary: 'too many mistakes that no test would notice',
    rationale:
      'The tests of the policy notice fewer of its mutants than `--min-score` asks for: copies with one small mistake, such as another bound, a wider pattern or a swapped rule. Mutants that are proved to decide all traffic alike do not count.',
    remedy: 'Add the tests that the report shows, or let `--write-missing` add them.',
    bad: { kind: 'command', text: 'tollgate test --min-score 100 test/golden/tests/unnoticed.test.yaml' },
    good: GOOD_TEST,
  },
  {
    code: 'test/undetermined',
    severity: 'error',
    summary: 'undetermined policy test',
    rationale:
      'Fields that a test does not set are unknown, not absent. The expectation depends on one of them, so the test proves nothing.',
    remedy:
      'Set the fields that the message names. Use `null` for a header that is not sent, and `no_other_headers: true` if only the listed headers are sent.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/undetermined.test.yaml' },
    good: GOOD_TEST,
  },
];
