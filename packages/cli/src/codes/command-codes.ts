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
    code: 'replay/thread-failed',
    kind: 'failure',
    severity: 'error',
    summary: 'replay thread failed',
    rationale:
      'A replay on several threads needs all of them. If one runs out of memory or is terminated, part of the traffic is not counted.',
    remedy: 'Pass `--threads 1`, which needs less memory.',
    withoutExample: 'it needs a machine without free memory',
  },
  {
    code: 'replay/policy-changed',
    kind: 'failure',
    severity: 'error',
    summary: 'policy changed during the replay',
    rationale:
      'Each replay thread reads the policy itself. One of them found errors in it that were not there at the start.',
    withoutExample: 'it needs a file that changes during the run',
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
    code: 'compile/unsupported',
    severity: 'error',
    summary: 'construct that cannot be compiled',
    rationale:
      'The target of `tollgate compile` cannot express this construct so that it decides exactly the same, or cannot yet. Nothing is written, because a policy that decides almost the same is a trap.',
    remedy: 'Rewrite the condition with supported constructs, or evaluate the policy with `@tollgate/core`.',
    withoutExample: 'it depends on the target',
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
