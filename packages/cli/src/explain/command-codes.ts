import type { CodeDescription } from '@tollgate/diagnostics';

/** What the command itself reports. */
export const COMMAND_CODES: readonly CodeDescription[] = [
  {
    code: 'profile/detected',
    severity: 'info',
    summary: 'what the profile of a policy with errors was told by',
    rationale:
      'A document tells its profile by its keys and names. Where it has errors, the guess may be the reason: this points at the name that decided.',
    remedy: 'Say the profile with `--profile`, or in `tollgate.yaml`.',
    bad: { kind: 'command', text: 'tollgate check test/golden/check/https-route/names-of-a-profile.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'lint/rule-failed',
    severity: 'error',
    summary: 'a lint rule of your own that failed on a file',
    rationale:
      'A module that `lint.load` names added this lint rule, and it threw an error or reported something that is not a finding. All other lint rules ran.',
    remedy: 'Fix the lint rule; `tollgate test-rules` runs its tests. `--rule ID=off` turns it off.',
    withoutExample: 'it takes a module with a lint rule that fails',
  },
  {
    code: 'lint/rule-stopped',
    severity: 'error',
    summary: 'a lint rule of your own that did not finish',
    rationale:
      'A module that `lint.load` names added this lint rule. It ran longer on the file than `--rule-timeout` allows, was stopped, and saw no other file. All other lint rules ran.',
    remedy: 'Fix the lint rule, or allow it more time with `--rule-timeout`.',
    withoutExample: 'it takes a module with a lint rule that does not finish',
  },
  {
    code: 'lint/undecided',
    severity: 'info',
    summary: 'lint rules that did not decide everything they looked at',
    rationale:
      'Each lint rule may spend a fixed amount of work on proofs about a file, counted in steps and not in time, so that linting always ends and finds the same everywhere. The lint rules that are named reached it: what they report is right, and there may be more.',
    remedy: 'Split the policy, or merge rules that differ only in a literal into one with a list.',
    withoutExample: 'it takes a policy of thousands of rules',
  },
  {
    code: 'lint/internal-error',
    severity: 'error',
    summary: 'a lint rule of Tollgate that failed on a file',
    rationale:
      'This is a defect of Tollgate. All other lint rules ran, and their findings are reported; the exit code is 70.',
    remedy: 'Report it, with the file if you can. `--rule ID=off` turns the lint rule off until then.',
    withoutExample: 'no file is known that does this',
  },
  {
    code: 'usage/endpoint',
    kind: 'failure',
    severity: 'error',
    summary: 'an endpoint that the profile of a policy does not have',
    rationale: 'Kinds of endpoints have other names in each profile.',
    remedy: 'The message lists those of the profile.',
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
    summary: 'a time of expiry that is none, or has passed',
    rationale: 'A key that had expired already would be refused from its first request on.',
    remedy: 'Say a date, or how long from now: `90d`, `12h`, `2031-12-31`.',
    withoutExample: 'it takes the database of a server to make a key in',
  },
  {
    code: 'usage/number',
    kind: 'failure',
    severity: 'error',
    summary: 'a number of the command line that is none',
    rationale: 'The option takes a whole number from 1 on.',
    withoutExample: 'it takes the database of a server',
  },
  {
    code: 'traffic/no-such-record',
    kind: 'failure',
    severity: 'error',
    summary: 'a record of recorded traffic that is not there',
    rationale:
      'The number behind `#` is that of an entry, or of a line in a log. The file has no exchange there, or none at all.',
    remedy: 'Reports of `tollgate replay` name the places of exchanges.',
    withoutExample: 'it takes a file of traffic beside the command',
  },
  {
    code: 'baseline/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'a baseline that cannot be read',
    rationale:
      'The file that `--baseline` names does not exist or is no baseline. Without it every finding would count, which is not what was asked for.',
    remedy: '`tollgate lint --write-baseline` makes one.',
    bad: { kind: 'command', text: 'tollgate lint --baseline missing.json examples/policies/block-bots.yaml' },
    good: { kind: 'command', text: 'tollgate lint examples/policies/block-bots.yaml' },
  },
  {
    code: 'edge/no-json',
    kind: 'failure',
    severity: 'error',
    summary: 'an edge that is not JSON',
    rationale: '`tollgate replay --edge` takes an edge as the API gives it, which is JSON.',
    withoutExample: 'it takes a file beside the command',
  },
  {
    code: 'edge/invalid',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is no edge',
    rationale:
      'An edge has routes with their policies, as the API gives them. The message says what is missing or wrong.',
    withoutExample: 'it takes a file beside the command',
  },
  {
    code: 'replay/thread-failed',
    kind: 'failure',
    severity: 'error',
    summary: 'a thread of a replay that has ended before it was through',
    rationale:
      'A replay on several threads needs all of them. One that runs out of memory, or is ended from outside, leaves a part of the traffic without figures.',
    remedy: '`--threads 1` needs less memory.',
    withoutExample: 'it takes a machine without room',
  },
  {
    code: 'replay/policy-changed',
    kind: 'failure',
    severity: 'error',
    summary: 'a policy that changed while it was replayed',
    rationale:
      'Each thread of a replay reads the policy for itself. When it has an error by then, it is not the one that was asked for.',
    withoutExample: 'it takes a file that is being written',
  },
  {
    code: 'trust/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'a list of trusted directories that cannot be relied on',
    rationale:
      'The list decides which code may run. One that is damaged, or that other users may write to, is not used. The message names the file ' +
      'or directory at fault.',
    remedy: 'Take write access away from others, or delete the list and run `tollgate trust` again.',
    withoutExample: 'it depends on the permissions of a file',
  },
  {
    code: 'settings/module',
    kind: 'failure',
    severity: 'error',
    summary: 'a module of settings that cannot be loaded',
    rationale:
      'The module does not exist, has an error in its syntax, or threw while it was loaded. The message repeats the reason.',
    bad: { kind: 'command', text: 'tollgate check --trust --env missing.ts -- examples/policies/block-bots.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'file/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that cannot be read',
    rationale: 'It does not exist, or its permissions forbid it. The other files are checked all the same.',
    bad: { kind: 'command', text: 'tollgate check missing.yaml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'file/none-found',
    kind: 'failure',
    severity: 'error',
    summary: 'a directory or pattern without any file',
    rationale:
      'Checking nothing would look like finding nothing. In directories files end in `.yaml`, `.yml` or `.json`.',
    bad: { kind: 'command', text: 'tollgate check examples/*.toml' },
    good: { kind: 'command', text: 'tollgate check examples/policies/*.yaml' },
  },
  {
    code: 'file/not-utf-8',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is not in UTF-8',
    rationale: 'YAML and JSON are read in UTF-8. Other encodings would be misread without anyone noticing.',
    remedy: 'Save the file in UTF-8.',
    withoutExample: 'it takes a file of bytes that are no text',
  },
  {
    code: 'file/exists',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that would be overwritten',
    rationale: 'What is to be made has the name of a file that is there already. It is left alone.',
    remedy: 'Choose another name, or move the file away.',
    withoutExample: 'it depends on the files that are there',
  },
  {
    code: 'file/unwritable',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that cannot be written',
    rationale:
      'Its directory does not exist or may not be written to. Files are replaced whole, so that the old one is still there.',
    withoutExample: 'it depends on the permissions of a directory',
  },
];
