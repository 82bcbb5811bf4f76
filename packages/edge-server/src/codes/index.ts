import type { CodeDescription } from '@tollgate/diagnostics';

const OUTSIDE = 'it takes a server with its files and its database, not a policy';

/** What keeps the server from starting or from answering. */
export const SERVER_CODES: readonly CodeDescription[] = [
  {
    code: 'settings/unreadable',
    kind: 'failure',
    severity: 'error',
    summary: 'settings of the server that cannot be read',
    rationale:
      'The file that was named does not exist, or its permissions forbid reading it. The server does not start with half of its settings.',
    remedy: 'Correct the path. Every setting can also be given by an environment variable.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'settings/secret-key',
    kind: 'failure',
    severity: 'error',
    summary: 'a key for secrets that cannot be read, made or used',
    rationale:
      'Secrets are stored encrypted. Without its key the server could neither keep new ones nor read those that it has.',
    remedy:
      'Name a file that the server may read, with keys in the form that the message states. A lost key cannot be made again.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'server/listen',
    kind: 'failure',
    severity: 'error',
    summary: 'a port that the server cannot listen on',
    rationale:
      'Another program has the port, or the user may not use it: ports below 1024 belong to the administrator.',
    remedy: 'Choose another with `--port`; 0 takes any that is free.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/unavailable',
    kind: 'failure',
    severity: 'error',
    summary: 'a database that cannot be reached or opened',
    rationale: 'The address, the credentials, the network or the permissions are wrong, or the database does not run.',
    remedy: 'The message repeats what the database said. The password is left out of it.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/not-a-database',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is no database of Tollgate',
    rationale: 'The file exists and holds something else. It is left alone.',
    remedy: 'Name another file, or one that does not exist yet.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/newer-version',
    kind: 'failure',
    severity: 'error',
    summary: 'a database of a newer version of Tollgate',
    rationale: 'A newer version has changed the tables. This one does not know what they mean, and would damage them.',
    remedy: 'Use the newer version, or a copy of the database that was made before.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/secret',
    kind: 'failure',
    severity: 'error',
    summary: 'a secret that cannot be decrypted',
    rationale:
      'The key that it was encrypted with is not among those that the server has, or the secret was moved to another place or damaged.',
    remedy: 'Give the server the old key beside the new one, until all secrets are encrypted anew.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/not-empty',
    kind: 'failure',
    severity: 'error',
    summary: 'an import into a database that has records',
    rationale: 'What is imported and what is there could contradict each other, and neither may be lost.',
    remedy: 'Import into a new database, and give that to the server.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/backup',
    kind: 'failure',
    severity: 'error',
    summary: 'a backup that cannot be written',
    rationale: 'The file exists already, or the disk is full, or the folder is not to be written to.',
    remedy: 'Name a file that does not exist yet, in a folder with room.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/no-backup',
    kind: 'failure',
    severity: 'error',
    summary: 'a database that is backed up by other means',
    rationale: 'PostgreSQL has tools of its own, which know how to do it while the database is in use.',
    remedy: 'Use `pg_dump` and `pg_restore`, or `tollgate store export` for the configuration alone.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/restore',
    kind: 'failure',
    severity: 'error',
    summary: 'a backup that cannot be restored',
    rationale: 'It is damaged or no backup, or there is a file already where it is to go, which might be in use.',
    remedy: 'Stop the server, move its file away, and restore again.',
    withoutExample: OUTSIDE,
  },
  {
    code: 'store/import',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is no exported configuration',
    rationale: 'It was changed or cut off, or is of another version of the format. Nothing of it has been taken.',
    remedy: 'The message says what was found where. Export the configuration again.',
    withoutExample: OUTSIDE,
  },
];
