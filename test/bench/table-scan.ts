// Replays of 30 rules, or of 1,000, on a table of ClickHouse in which nearly every URL is another one, or in which they repeat: processor
// time of the engine and of the command, its memory, and the bytes between them. First, the figures of 200,000 rows are compared with those
// in process:
//   npx node --conditions=tollgate-source test/bench/table-scan.ts [MILLIONS OF ROWS] [KEYS IN EACH LIST] [SHARE OF OTHER URLS, IN PERCENT]
//     [RULES] [repeating]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { requireBundle, runOnce, tollgate } from './measured-runs.ts';
import { largePolicy, REPLAY_POLICY } from './replay-policy.ts';

const MILLIONS = Number(process.argv[2] ?? 5);
const TOP = process.argv[3] ?? '0';
const OTHERS = Number(process.argv[4] ?? 0);
const RULES = process.argv[5] === '1000' ? largePolicy() : REPLAY_POLICY;
const SESSION = process.argv[6] === 'repeating' ? `''` : `'?session=', lower(hex(sipHash128(number)))`;
const COMPARED = 200_000;

requireBundle();
const engine = await clickhouseForTests();
if (engine === undefined) throw new Error('chdb is not installed: run scripts/install-test-tools.sh');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-scan-'));
const policy = join(folder, 'policy.json');
writeFileSync(policy, JSON.stringify(RULES));

/**
 * Rows by their number. Few clients send most of the requests; each has one address, country and user agent. Most requests are `GET` and
 * succeed. Every URL is another one.
 */
const COLUMNS = `toUInt64(pow(cityHash64(number, 1) % 1000000 / 1000000, 3) * 60000) as client, cityHash64(number, 2) % 100 as chance,
  toDateTime64('2026-11-01 00:00:00', 3, 'UTC') + number * 0.02 as time,
  concat(['203.9.', '81.128.', '192.4.', '198.51.', '10.0.', '172.16.', '8.8.', '9.9.'][cityHash64(client, 3) % 8 + 1],
    toString(cityHash64(client, 4) % 250), '.', toString(cityHash64(client, 5) % 250)) as client_ip,
  multiIf(chance < 88, 'GET', chance < 96, 'POST', chance < 98, 'PUT', 'OPTIONS') as method,
  concat('https://', if(cityHash64(client) % 10 = 0, 'api.shop', 'shop'), '.example/',
    ['books/', 'books/', 'books/', 'cart/', 'search/', 'static/js/', 'api/v1/items/', 'admin/'][cityHash64(number, 6) % 8 + 1],
    toString(toUInt64(pow(cityHash64(number, 7) % 100000 / 100000, 4) * 15000)),
    multiIf(cityHash64(number, 8) % 50 = 0, '.php', cityHash64(number, 6) % 8 = 5, '.js', ''), if(cityHash64(number, 9) % 100 < ${OTHERS}, '%20', ''),
    ${SESSION}, if(cityHash64(number, 10) % 10 = 0, '&sort=price', '')) as url,
  multiIf(cityHash64(number, 11) % 100 < 90, 200, cityHash64(number, 11) % 100 < 94, 301, cityHash64(number, 11) % 100 < 98, 404, 503) as status,
  ['DE', 'FR', 'US', 'GB', 'US', 'US', 'US', 'KP'][cityHash64(client, 12) % 8 + 1] as country,
  concat(['Mozilla/5.0 (X11) ', 'Mozilla/5.0 (Mac) ', 'Mozilla/5.0 (Windows) ', 'python-requests/2.', 'searchbot/'][cityHash64(client, 13) % 5 + 1],
    toString(cityHash64(client, 14) % 80)) as user_agent`;

async function fill(rows: number): Promise<void> {
  await engine!.run('drop table if exists traffic');
  await engine!.run(`create table traffic(time DateTime64(3, 'UTC'), client_ip String, method LowCardinality(String), url String, status UInt16,
    country LowCardinality(String), user_agent LowCardinality(String)) engine = MergeTree order by time`);
  await engine!.run(
    `insert into traffic select * except (client, chance) from (select ${COLUMNS} from numbers(${rows}))`,
  );
}

let bytes = 0;
/** Counts what goes back and forth. */
const counting = createServer((from, to) => {
  const onward = request(new URL(from.url!, engine!.url), { method: 'POST', headers: from.headers }, answer => {
    to.writeHead(answer.statusCode!, answer.headers);
    answer.on('data', part => {
      bytes += part.length;
    });
    answer.pipe(to);
  });
  from.on('data', part => {
    bytes += part.length;
  });
  from.pipe(onward);
}).listen(0, '127.0.0.1');
await new Promise(resolve => counting.once('listening', resolve));
const connect = `http://127.0.0.1:${(counting.address() as AddressInfo).port}/`;

/** Processor time of the engine so far, in seconds. */
function engineTime(): number {
  const stat = readFileSync(`/proc/${engine!.pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user! + system!) / 100;
}

const replay = (...place: readonly string[]) => ({
  command: tollgate('replay', '--format', 'json', '--top', TOP, policy, ...place),
});

/** Without the names of inputs and places of examples. */
function figuresIn(output: string): unknown {
  const text = JSON.stringify(JSON.parse(output), (name, value) =>
    ['files', 'inputs', 'first', 'engine', 'place', 'number', 'unit', 'file'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

try {
  await fill(COMPARED);
  const file = join(folder, 'traffic.jsonl');
  writeFileSync(
    file,
    await engine.run("select * from traffic format JSONEachRow settings date_time_output_format = 'iso'"),
  );
  const here = await runOnce(replay('--engine', 'js', file));
  const there = await runOnce(replay('--engine', 'clickhouse', '--connect', connect, '--table', 'traffic'));
  if (!isDeepStrictEqual(figuresIn(here.output), figuresIn(there.output)))
    throw new Error('the figures differ from those in process');
  process.stdout.write(`${COMPARED} rows: the figures are those of a replay in process\n`);
  await fill(MILLIONS * 1_000_000);
  for (let round = 0; round < 3; round++) {
    bytes = 0;
    const before = engineTime();
    const run = await runOnce(replay('--engine', 'clickhouse', '--connect', connect, '--table', 'traffic'));
    const spent = engineTime() - before;
    process.stdout.write(
      `${MILLIONS} M rows, top ${TOP}: engine ${spent.toFixed(1)} s, command ${run.cpu.toFixed(1)} s and ${run.megabytes.toFixed(0)} MB, ${(bytes / 1e6).toFixed(1)} MB of bytes, ${run.seconds.toFixed(1)} s in all\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
  counting.closeAllConnections();
  counting.close();
  engine.stop();
}
