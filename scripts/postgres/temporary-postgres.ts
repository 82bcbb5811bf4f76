import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A temporary PostgreSQL server on loopback that leaves nothing behind. */
interface TemporaryPostgres {
  /** URL of its first database, which is empty. */
  readonly url: string;
  /** Breaks all connections, and returns when the server accepts new ones. */
  readonly restart: () => Promise<void>;
  readonly stop: () => void;
}

/** Where Debian installs the server programs, which are not in `PATH`. */
const DEBIAN = '/usr/lib/postgresql';

/** Starts a server in a new directory; returns undefined if PostgreSQL is not installed. Takes about a second. */
export async function startTemporaryPostgres(): Promise<TemporaryPostgres | undefined> {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const home = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'));
  const user = ordinaryUser();
  if (user) chownSync(home, user.uid, user.gid);
  chmodSync(home, 0o700);
  const data = join(home, 'data');
  const port = await freePort();
  const pgCtl = join(programs, 'pg_ctl');
  const options: Pick<SpawnSyncOptions, 'uid' | 'gid'> & { readonly cwd: string } = { cwd: home, ...user };
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 -c fsync=off`;
  try {
    run(join(programs, 'initdb'), ['-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
    run(pgCtl, ['-D', data, '-w', '-l', join(home, 'log'), '-o', settings, 'start'], options);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
  // However this program ends, so does the server: its guard reads to the end of a pipe that nothing is written to.
  const guard = spawn('sh', ['-c', 'cat >/dev/null; "$0" -D "$1" -m immediate stop; rm -rf "$2"', pgCtl, data, home], {
    ...options,
    ...{ stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', detached: true },
  });
  guard.unref();
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    restart: async () => {
      const args = ['-D', data, '-w', '-m', 'fast', '-l', join(home, 'log'), '-o', settings, 'restart'];
      const [status] = await once(spawn(pgCtl, args, { ...options, stdio: 'ignore' }), 'close');
      if (status !== 0) throw new Error(`\`pg_ctl restart\` ended with ${status}`);
    },
    stop: () => {
      run(pgCtl, ['-D', data, '-m', 'immediate', 'stop'], options);
      guard.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Returns the folder of the server programs; undefined if PostgreSQL is not installed. */
export function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(version => join(DEBIAN, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions];
  return folders.find(folder => ['initdb', 'pg_ctl', 'postgres'].every(name => existsSync(join(folder, name))));
}

/** `initdb` refuses to run as root. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function run(program: string, args: readonly string[], options: SpawnSyncOptions): void {
  // The server inherits the standard output of the program that starts it, so do not wait for that to close.
  const { status, error } = spawnSync(program, args, { ...options, stdio: 'ignore' });
  if (error) throw error;
  if (status !== 0) throw new Error(`\`${program} ${args.join(' ')}\` ended with ${status}`);
}
