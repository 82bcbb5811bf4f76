/**
 * Starts a temporary PostgreSQL server and prints the URL of its database. With a command, runs it with the URL in
 * `TOLLGATE_TEST_POSTGRES` instead:
 *
 *     npm run postgres
 *     npm run postgres -- npm test
 */
import { spawn } from 'node:child_process';
import { startTemporaryPostgres } from './temporary-postgres.ts';

const server = await startTemporaryPostgres();
if (server === undefined) {
  process.stderr.write(
    "PostgreSQL is not installed: `initdb` and `pg_ctl` are expected (Debian's package `postgresql`)\n",
  );
  process.exitCode = 3;
} else {
  const { url, stop } = server;
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) {
    process.stdout.write(`${url}\n`);
    setInterval(() => undefined, 1 << 30);
  } else {
    const env = { ...process.env, TOLLGATE_TEST_POSTGRES: url };
    spawn(command, args, { stdio: 'inherit', env }).once('close', code => process.exit(code ?? 1));
  }
}
