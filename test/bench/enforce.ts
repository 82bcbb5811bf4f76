// Processor time for a request with the headers of a browser: a server on Node alone, with middleware, and with middleware that runs a compiled module;
// Envoy alone and with the service. What they answer is compared first.
//   npx node --conditions=tollgate-source test/bench/enforce.ts [POLICY]

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { envoyConfiguration } from '@tollgate/enforce/envoy';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import autocannon from 'autocannon';
import { envoyProgram, startEnvoy } from '../servers/envoy-server.ts';
import { freePort } from '../servers/log-servers.ts';
import { compiledPolicy } from '../simulation/compiled-module.ts';
import { THIRTY } from '../simulation/thirty-rules.ts';
import { outputOf } from '../support/output-of.ts';

/** What a browser sends with a request. Without headers, reading them and looking them up would cost nothing. */
const HEADERS = {
  'sec-ch-ua': '"Chromium";v="142", "Not?A_Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  cookie: 'session=abc; theme=dark',
};

const REQUESTS = 10_000;
/** The first of them lets V8 compile what runs often, so it never counts. */
const ROUNDS = 4;
const ROOT = join(import.meta.dirname, '../..');

const text = process.argv[2] === undefined ? JSON.stringify(THIRTY) : readFileSync(process.argv[2], 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const file = join(folder, 'policy.yaml');
writeFileSync(file, text);

const endpoint = MODERN.endpoints[0]!;
const environments = createPhaseEnvironments(MODERN, endpoint);
const { policy } = analyzePolicy(new SourceText(file, text), { profile: MODERN, endpoint, environments });
const module = join(folder, 'policy.mjs');
const written = compiledPolicy(policy!, { profile: MODERN, environments });
writeFileSync(module, 'code' in written ? written.code : '');

/** Processor time of a process so far, in microseconds; Linux counts it in hundredths of a second. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

const children: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];

async function started(args: readonly string[], wanted: string): Promise<number> {
  const child = spawn(process.execPath, ['--conditions=tollgate-source', ...args], { cwd: folder });
  children.push({ child, ended: once(child, 'exit') });
  child.stderr.pipe(process.stderr);
  const sees = outputOf(child);
  await sees(wanted);
  return child.pid!;
}

async function answerAt(port: number): Promise<readonly unknown[]> {
  const response = await fetch(`http://127.0.0.1:${port}/books?page=2`, { headers: HEADERS });
  return [response.status, await response.text()];
}

interface Contestant {
  readonly port: number;
  readonly processes: readonly number[];
}

/** Returns the least processor time for a request, in microseconds. */
async function measured({ port, processes }: Contestant): Promise<number> {
  const url = `http://127.0.0.1:${port}/books?page=2`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = processes.map(processorTime);
    const { non2xx, errors } = await autocannon({ url, headers: HEADERS, connections: 10, amount: REQUESTS });
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
    times.push(processes.reduce((sum, pid, at) => sum + processorTime(pid) - before[at]!, 0) / REQUESTS);
  }
  return Math.min(...times);
}

async function compare(title: string, limit: number, plain: Contestant, enforced: Contestant): Promise<void> {
  const answers = [await answerAt(plain.port), await answerAt(enforced.port)];
  if (!isDeepStrictEqual(answers[0], answers[1])) throw new Error(`${title}: ${JSON.stringify(answers)}`);
  const [base, full] = [await measured(plain), await measured(enforced)];
  console.log(
    `${title}: ${base.toFixed(0)} µs alone, ${full.toFixed(0)} µs with the policy, ${(full / base).toFixed(2)} (at most ${limit})`,
  );
}

try {
  const server = join(import.meta.dirname, 'enforced-server.ts');
  const [plainPort, enforcedPort, compiledPort] = [await freePort(), await freePort(), await freePort()];
  const plain = await started([server, String(plainPort)], 'listens');
  const enforced = await started([server, String(enforcedPort), file], 'listens');
  const compiled = await started([server, String(compiledPort), module], 'listens');
  const alone = { port: plainPort, processes: [plain] };
  await compare('Node middleware', 3, alone, { port: enforcedPort, processes: [enforced] });
  await compare('Node middleware on a module', 2, alone, { port: compiledPort, processes: [compiled] });
  const program = envoyProgram();
  if (program === undefined) console.log('Envoy is not installed');
  else {
    const service = { host: '127.0.0.1', port: await freePort() };
    const command = join(ROOT, 'packages/cli/bin/tollgate.js');
    const pid = await started([command, 'enforce', '--ext-proc', String(service.port), file], 'press Ctrl-C');
    const added = envoyConfiguration(policy!, { profile: MODERN, environments, service });
    const envoy = await startEnvoy(program, { folder: join(folder, 'plain'), upstreamPort: plainPort });
    const asking = await startEnvoy(program, { folder: join(folder, 'asking'), upstreamPort: plainPort, added });
    await compare(
      'Envoy, request and response',
      5,
      { port: envoy.port, processes: [envoy.pid] },
      { port: asking.port, processes: [asking.pid, pid] },
    );
    await Promise.all([envoy.stop(), asking.stop()]);
  }
} finally {
  for (const { child, ended } of children) {
    child.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}
