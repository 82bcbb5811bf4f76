import type { CodeDescription } from '@tollgate/diagnostics';

const WITHOUT = { kind: 'failure', severity: 'error', withoutExample: 'it needs an API to publish to' } as const;

/** The codes of failures while publishing. */
export const PUBLISH_CODES: readonly CodeDescription[] = [
  {
    ...WITHOUT,
    code: 'publish/api',
    summary: 'unavailable API',
    rationale:
      'The Edge Configuration API could not be reached, rejected the key, or responded with something other than JSON. Nothing was written.',
    remedy: 'Check `url`, `apiKey` and `caFile` of the environment.',
  },
  {
    ...WITHOUT,
    code: 'publish/certificates',
    summary: 'unusable certificates',
    rationale: 'The file that `caFile` names does not exist or does not contain certificates in PEM format.',
  },
  {
    ...WITHOUT,
    code: 'publish/journal',
    summary: 'unusable journal',
    rationale:
      'The journal records what was published, so nothing is written without it. A crash can cut off its last line, which is repaired; any other damage is an error.',
    remedy: 'Restore the file from a backup, or move it away and run `tollgate plan` to see the differences.',
  },
  {
    ...WITHOUT,
    code: 'publish/live-policy',
    summary: 'live policy that cannot be run',
    rationale:
      'The live policy has errors, as far as the settings of the project go, so the impact of a new policy is not known.',
    remedy: 'Set the extensions of your edge with `env` in `tollgate.yaml`.',
  },
  {
    ...WITHOUT,
    code: 'publish/no-record',
    summary: 'target without a live record',
    rationale: 'The edge or route of a target does not exist, or several match.',
    remedy: 'Check the id, the hostport and the match of the target; an id is always unambiguous.',
  },
  {
    ...WITHOUT,
    code: 'publish/no-secret',
    summary: 'unavailable secret',
    rationale:
      'An API key or a secret comes from an environment variable, a file or a command, and is not available there.',
  },
  {
    ...WITHOUT,
    code: 'publish/plan',
    summary: 'unusable plan',
    rationale:
      'The plan was edited, was made with another key, is for another URL, or was applied already. Nothing was written.',
    remedy: 'Make a new plan with `tollgate plan --out`.',
  },
];
