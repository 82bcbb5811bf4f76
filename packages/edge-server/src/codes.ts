// Codes of failures that keep a server from starting, and of its own findings.

import type { CodeDescription } from '@tollgate/diagnostics';

const OUTSIDE = 'it requires a server with its files and database rather than a policy';

/** Codes of failures that keep the server from starting or responding, and of findings of the server itself. */
export const SERVER_CODES: readonly CodeDescription[] = [
  {
    code: 'settings/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'unreadable server settings',
    rationale:
      'The settings file does not exist or is not readable. The server does not start with incomplete settings.',
    remedy: 'Correct the path. Every setting can also be given as an environment variable.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'settings/secret-key',
    kind: 'failure',
    severity: 'error',
    summary: 'encryption key that cannot be read, created or used',
    rationale:
      'Secrets are stored encrypted. Without the key, the server can neither store new secrets nor read existing ones.',
    remedy: 'Name a readable file with keys in the form that the message states. A lost key cannot be recovered.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'server/listen',
    kind: 'failure',
    severity: 'error',
    summary: 'port that the server cannot listen on',
    rationale:
      'The port is in use, or the user lacks the permission to use it: ports below 1024 are reserved for the administrator.',
    remedy: 'Choose another port with `--port`; 0 selects any free port.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'server/unfinished-lint',
    severity: 'warning',
    summary: 'policy that is too large to lint in a dry run',
    rationale:
      'Lint rules compare the rules of a policy with each other. In a dry run of a large policy they needed more than `policyTime` or `policyMemory` allows. The policy has no errors and is accepted, but the response lacks the warnings.',
    remedy: 'Run `tollgate check` on the policy, which has no such budget, or raise `policyTime` or `policyMemory`.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/no-driver',
    kind: 'failure',
    severity: 'error',
    summary: 'missing driver for PostgreSQL',
    rationale: 'The driver is an optional package, because most servers keep their data in an SQLite file.',
    remedy: 'Install the package `pg` next to the command, or use an SQLite file.',
    withoutExample: 'it depends on what is installed',
  },
  {
    code: 'store/unavailable',
    kind: 'failure',
    severity: 'error',
    summary: 'database that cannot be reached or opened',
    rationale:
      'The address, the credentials or the permissions are wrong, the network is down, or the database is not running.',
    remedy: 'Act on the error of the database, which the message repeats without the password.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/not-a-database',
    kind: 'failure',
    severity: 'error',
    summary: 'file that is not a Tollgate database',
    rationale: 'The file exists and contains something else. It was not changed.',
    remedy: 'Name another file or one that does not exist yet.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/newer-version',
    kind: 'failure',
    severity: 'error',
    summary: 'database of a newer version of Tollgate',
    rationale: 'A newer version has changed the tables in ways that this version does not know and would damage.',
    remedy: 'Use the newer version, or a copy of the database from before the upgrade.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/secret',
    kind: 'failure',
    severity: 'error',
    summary: 'secret that cannot be decrypted',
    rationale:
      'The server does not have the key that encrypted the secret, or the secret was moved to another record or damaged.',
    remedy: 'Give the server the old key in addition to the new one until all secrets are encrypted with the new key.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/not-empty',
    kind: 'failure',
    severity: 'error',
    summary: 'import into a database that has records',
    rationale: 'Imported and existing records could conflict, and neither may be lost.',
    remedy: 'Import into a new database and start the server with it.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/backup',
    kind: 'failure',
    severity: 'error',
    summary: 'backup that cannot be written',
    rationale: 'The file already exists, the disk is full, or the folder is not writable.',
    remedy: 'Name a file that does not exist yet, in a writable folder with enough space.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/no-backup',
    kind: 'failure',
    severity: 'error',
    summary: 'database without built-in backup',
    rationale: 'PostgreSQL has its own backup tools, which work while the database is in use.',
    remedy: 'Use `pg_dump` and `pg_restore`, or `tollgate store export` for the configuration alone.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/restore',
    kind: 'failure',
    severity: 'error',
    summary: 'backup that cannot be restored',
    rationale: 'The file is damaged or not a backup, or the target file already exists and might be in use.',
    remedy: 'Stop the server, move its database file away, and restore again.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/import',
    kind: 'failure',
    severity: 'error',
    summary: 'file that is not an exported configuration',
    rationale: 'The file was changed or truncated, or has another version of the format. Nothing was imported.',
    remedy: 'Export the configuration again. The message says what is wrong and where.',
    withoutExample: OUTSIDE,
  },
];
