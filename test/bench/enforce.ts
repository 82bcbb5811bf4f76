// Processor time for a request with the headers of a browser: a server on Node alone, with middleware, and with middleware that runs a compiled module;
// Envoy alone and with the service. What they answer is compared first. Also the floors: middleware with no rules, and a service that decides nothing.
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
const ROUNDS = 6;
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
  readonly name: string;
  readonly port: number;
  readonly processes: readonly number[];
  /** Its processor time for a request, as a multiple of that of the first contestant. */
  readonly limit?: number;
}

/** Returns the processor time for a request in one round, in microseconds. */
async function roundOf({ port, processes }: Contestant): Promise<number> {
  const url = `http://127.0.0.1:${port}/books?page=2`;
  const before = processes.map(processorTime);
  const { non2xx, errors } = await autocannon({ url, headers: HEADERS, connections: 10, amount: REQUESTS });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  return processes.reduce((sum, pid, at) => sum + processorTime(pid) - before[at]!, 0) / REQUESTS;
}

/** Prints the least time of each, and the median of the ratios. Each round asks all of them, so that other work on the machine slows all. */
async function compare(contestants: readonly Contestant[]): Promise<void> {
  const answers: unknown[] = [];
  for (const { port } of contestants) answers.push(await answerAt(port));
  if (!answers.every(answer => isDeepStrictEqual(answer, answers[0]))) throw new Error(JSON.stringify(answers));
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, contestant] of contestants.entries()) {
      const time = await roundOf(contestant);
      if (round > 0) times[at]!.push(time);
    }
  for (const [at, { name, limit }] of contestants.entries()) {
    const ratios = times[at]!.map((time, round) => time / times[0]![round]!).sort((a, b) => a - b);
    const ratio = ratios[Math.floor(ratios.length / 2)]!.toFixed(2);
    const bound = limit === undefined ? '' : ` (at most ${limit})`;
    console.log(`${name}: ${Math.min(...times[at]!).toFixed(0)} µs, ${ratio}${bound}`);
  }
}

try {
  const server = join(import.meta.dirname, 'enforced-server.ts');
  const [plainPort, enforcedPort, compiledPort] = [await freePort(), await freePort(), await freePort()];
  const emptyPort = await freePort();
  const plain = await started([server, String(plainPort)], 'listens');
  const enforced = await started([server, String(enforcedPort), file], 'listens');
  const compiled = await started([server, String(compiledPort), module], 'listens');
  writeFileSync(join(folder, 'empty.yaml'), '{}');
  const empty = await started([server, String(emptyPort), join(folder, 'empty.yaml')], 'listens');
  await compare([
    { name: 'a server on Node', port: plainPort, processes: [plain] },
    { name: 'with middleware', port: enforcedPort, processes: [enforced], limit: 3 },
    { name: 'with middleware on a module', port: compiledPort, processes: [compiled], limit: 2 },
    { name: 'with middleware on a policy without rules', port: emptyPort, processes: [empty] },
  ]);
  const program = envoyProgram();
  if (program === undefined) console.log('Envoy is not installed');
  else {
    const [service, bare] = [
      { host: '127.0.0.1', port: await freePort() },
      { host: '127.0.0.1', port: await freePort() },
    ];
    const command = join(ROOT, 'packages/cli/bin/tollgate.js');
    const pid = await started([command, 'enforce', '--ext-proc', String(service.port), file], 'press Ctrl-C');
    const barePid = await started([join(import.meta.dirname, 'bare-envoy-service.ts'), String(bare.port)], 'listens');
    const behind = (name: string, asked?: typeof service) => {
      const added = asked && envoyConfiguration(policy!, { profile: MODERN, environments, service: asked });
      return startEnvoy(program, { folder: join(folder, name), upstreamPort: plainPort, ...(added && { added }) });
    };
    const [envoy, idle, asking] = [await behind('plain'), await behind('bare', bare), await behind('asking', service)];
    await compare([
      { name: 'Envoy', port: envoy.port, processes: [envoy.pid] },
      { name: 'Envoy and the policy', port: asking.port, processes: [asking.pid, pid], limit: 5 },
      { name: 'Envoy of these', port: asking.port, processes: [asking.pid] },
      { name: 'Envoy and a service that reads and decides nothing', port: idle.port, processes: [idle.pid, barePid] },
    ]);
    await Promise.all([envoy.stop(), idle.stop(), asking.stop()]);
  }
} finally {
  for (const { child, ended } of children) {
    child.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}
