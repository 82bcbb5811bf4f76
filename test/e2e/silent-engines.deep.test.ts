import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { installedCommand } from '../support/installed-command.ts';
import { postgresForTests } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-silent-engines-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const [trino, spark] = [await trinoForTests(), await sparkForTests()];
const sockets = new Set<Socket>();

afterAll(async () => {
  rmSync(directory, { recursive: true });
  for (const socket of sockets) socket.destroy();
  silent.close();
  proxy.close();
  postgres?.stop();
  clickhouse?.stop();
  await trino?.stop();
  await spark?.stop();
});

const POLICY = join(directory, 'policy.yaml');
writeFileSync(
  POLICY,
  `inbound:
  - expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
);

function kept(socket: Socket): Socket {
  sockets.add(socket);
  return socket.on('error', () => undefined);
}

/** Accepts connections and never says anything. */
const silent = createServer(socket => kept(socket).resume());

let target = { host: '127.0.0.1', port: 0 };
/** What the clients said when the answers stopped. */
let isSilent = false;
let silentFrom = '';

/** Passes on what it is sent until a query contains some text, and from then on nothing, as some proxies do with what they forgot. */
const proxy = createServer(client => {
  kept(client);
  const server = kept(createConnection(target));
  client.on('data', data => {
    if (silentFrom !== '' && data.toString('latin1').includes(silentFrom)) isSilent = true;
    if (!isSilent) server.write(data);
  });
  server.on('data', data => {
    if (!isSilent) client.write(data);
  });
});

beforeAll(async () => {
  for (const server of [silent, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
});

function portOf(server: typeof silent): number {
  return (server.address() as AddressInfo).port;
}

/** Runs the command in a process of its own, which has to end by itself. */
async function run(options: readonly string[], { env = {}, interrupts = false } = {}) {
  const args = [await installedCommand(), 'replay', ...options, POLICY];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let [output, errors] = ['', ''];
  child.stdout.on('data', data => (output += data));
  child.stderr.on('data', data => (errors += data));
  if (interrupts) silent.once('connection', socket => socket.once('data', () => child.kill('SIGINT')));
  const [status] = await once(child, 'close');
  return { status, output, errors };
}

const ENGINES = [
  [
    'postgres',
    (place: string) => `postgres://ada@${place}/logs`,
    'cannot reach PostgreSQL at PLACE: no connection within 1 s',
  ],
  [
    'clickhouse',
    (place: string) => `http://${place}/`,
    'ClickHouse failed: no answer within 1 s; `--query-timeout` allows more',
  ],
  [
    'trino',
    (place: string) => `http://${place}/hive/logs`,
    'Trino failed: no answer within 1 s; `--query-timeout` allows more',
  ],
  [
    'spark',
    (place: string) => `spark://${place}/logs`,
    'Spark failed: no answer within 1 s; `--query-timeout` allows more',
  ],
  ['athena', () => 'athena:///logs', 'Athena failed: no answer within 1 s; `--query-timeout` allows more'],
] as const;

/** Where Athena is, and who asks. */
const awsAt = (place: string) => ({
  ...{ AWS_ENDPOINT_URL_ATHENA: `http://${place}`, AWS_REGION: 'eu-central-1' },
  ...{ AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret' },
});

describe.each(ENGINES)('a server for %s that says nothing', (engine, urlOf, message) => {
  const options = () => ['--engine', engine, '--connect', urlOf(`127.0.0.1:${portOf(silent)}`), '--table', 'logs'];

  it('ends the command with one line', async () => {
    const found = await run([...options(), '--query-timeout', engine === 'postgres' ? '60' : '1'], {
      env: { PGCONNECT_TIMEOUT: '1', ...awsAt(`127.0.0.1:${portOf(silent)}`) },
    });
    const shown = message.replace('PLACE', `127.0.0.1:${portOf(silent)}`);
    expect(found).toEqual({ status: 3, output: '', errors: `tollgate: ${shown}\n` });
  });

  it('does not keep Ctrl-C from ending the command', async () => {
    const found = await run(options(), {
      env: { PGCONNECT_TIMEOUT: '0', ...awsAt(`127.0.0.1:${portOf(silent)}`) },
      interrupts: true,
    });
    expect(found).toEqual({
      ...{ status: 130, output: '' },
      errors: 'tollgate: interrupted; the query on the engine was canceled, and nothing is reported\n',
    });
  });
});

describe.each([
  ['postgres', 'PostgreSQL', postgres && (await postgres.newDatabase()), 'generate_series(1, 9) as x(n)', 3],
  ['clickhouse', 'ClickHouse', clickhouse?.url, '(select number as n from numbers(9)) as x', 3],
  // They take seconds for each query.
  ['trino', 'Trino', trino?.url, 'unnest(sequence(1, 9)) as x(n)', 30],
  ['spark', 'Spark', spark?.url, 'range(1, 9) as x(n)', 30],
] as const)('a proxy before %s that stops answering', (engine, product, url, numbers, seconds) => {
  it.skipIf(url === undefined).each(['tollgate_table', 'limit 1000', 'group by'])(
    'ends the command with one line, at `%s`',
    async text => {
      const place = new URL(url!);
      target = { host: place.hostname, port: Number(place.port) };
      [isSilent, silentFrom] = [false, text];
      place.port = String(portOf(proxy));
      const table = `(select concat('/', cast(n as ${engine === 'clickhouse' || engine === 'spark' ? 'String' : 'varchar'})) as target from ${numbers})`;
      const options = ['--engine', engine, '--connect', place.href, '--table', table];
      expect(await run([...options, '--query-timeout', String(seconds)])).toEqual({
        ...{ status: 3, output: '' },
        errors: `tollgate: ${product} failed: no answer within ${seconds} s; \`--query-timeout\` allows more\n`,
      });
      expect(isSilent).toBe(true);
    },
  );
});
