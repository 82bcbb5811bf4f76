import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalEntry, type Run, readJournal, runsIn } from '@tollgate/publisher';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { runs, seed } from '../../support/runs.ts';
import { FAULTS, type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createShop, type Held, heldBy, isRestricted, policyText, projectText, type Shop } from './shop.ts';

const RUNS = runs(12, 200, 'TOLLGATE_PUBLISH_RUNS');
/** Of the usual one, the first lane publishes without a fault, and the second is killed in the middle. */
const SEED = seed(20_261_331, 'TOLLGATE_PUBLISH_SEED');
const TARGETS = runs(20, 20, 'TOLLGATE_PUBLISH_TARGETS');
/** The journal of this many runs; then a new one begins. */
const RUNS_PER_JOURNAL = 25;
/** Runs at the same time, each on an edge of its own: they mostly wait. */
const LANES = runs(4, 4, 'TOLLGATE_PUBLISH_LANES');

let server: TestServer;
let publisher: Publisher;
let lanes: readonly Lane[];

/** An edge with its own publisher, and its own proxy between them. */
interface Lane {
  readonly name: string;
  readonly proxy: FaultProxy;
  readonly shop: Shop;
  readonly random: () => number;
}

beforeAll(async () => {
  publisher = await createPublisher();
  server = await startTestServer({ development: true });
  lanes = await Promise.all(Array.from({ length: LANES }, (_, index) => createLane(index)));
});

afterAll(async () => {
  for (const { proxy } of lanes ?? []) await proxy.stop();
  await server?.stop();
  publisher?.remove();
});

async function createLane(index: number): Promise<Lane> {
  const name = `lane${index}`;
  const random = randomFrom(SEED + index);
  const proxy = await startFaultProxy(server.url, random);
  const shop = await createShop(server, TARGETS, `${name}.example`);
  publisher.write(`${name}/key`, server.token);
  return { name, proxy, shop, random };
}

/** A generator of numbers from 0 to 1 that depends on nothing but its seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A run of `tollgate apply`, with what the targets held before and after it. */
interface Trial {
  readonly lane: Lane;
  readonly number: number;
  readonly version: string;
  readonly ipPolicy: string;
  readonly before: readonly Held[];
  readonly after: readonly Held[];
  readonly isKilled: boolean;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function trial(number: number, lane: Lane): Promise<Trial> {
  const { name, proxy, shop, random } = lane;
  const version = `v${number}`;
  const choice = number % 2 === 0 ? 0 : 1;
  publisher.write(`${name}/policy.yaml`, policyText(version));
  const rate = [0, 0.05, 0.2, 0.5][Math.floor(random() * 4)]!;
  // Without faults a run succeeds, however busy the machine is.
  const project = projectText(shop, proxy.url, choice).replace('0.25', rate === 0 ? '30' : '0.25');
  publisher.write(`${name}/tollgate.yaml`, project);
  const before = await heldBy(server, shop);
  const killAt = random() < 0.35 ? Math.floor(random() * 4.5 * TARGETS) : Number.POSITIVE_INFINITY;
  const keepsWritten = random() < 0.3;
  // An interruption must end with a report, unless it comes before anything is written.
  const signal = random() < 0.4 ? 'SIGINT' : 'SIGKILL';
  let count = 0;
  const args = ['apply', '--yes', '--allow-erase', '--format', 'json', ...(keepsWritten ? ['--no-rollback'] : [])];
  const ended = await publisher.run(name, args, child => {
    proxy.choose = ({ path }): Fault => {
      if (count++ === killAt) child.kill(signal);
      const fault = random() < rate ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
      // A plan is what its list says; whether that still holds is confirmed for each record.
      return fault === 'altered' && path.startsWith('/edges/https?') ? undefined : fault;
    };
  });
  proxy.choose = () => undefined;
  await proxy.settled();
  const after = await heldBy(server, shop);
  return {
    lane,
    number,
    version,
    ipPolicy: shop.ipPolicies[choice],
    before,
    after,
    isKilled: ended.code === null,
    ...ended,
  };
}

type Module = 'policy' | 'ip_restriction';

/** What a module really holds, with respect to a trial. */
function truth({ before, after, version, ipPolicy }: Trial, index: number, module: Module): string {
  const [was, is, wanted] =
    module === 'policy'
      ? [before[index]!.policy, after[index]!.policy, version]
      : [before[index]!.ipPolicy, after[index]!.ipPolicy, ipPolicy];
  return is === wanted ? 'after' : is === was ? 'before' : `neither: ${is}`;
}

/** Whether a module holds what it held before. */
function isSame({ before, after }: Trial, index: number, module: Module): boolean {
  const key = module === 'policy' ? 'policy' : 'ipPolicy';
  return before[index]![key] === after[index]![key];
}

interface ReportedTarget {
  readonly target: string;
  readonly state: string;
  readonly reason?: string;
  readonly modules: readonly { readonly module: Module; readonly holds: string }[];
}

const HOLDS: Readonly<Record<string, string>> = { written: 'after', unchanged: 'before', restored: 'before' };

/** What is wrong in the report of a run that was not killed. */
function wrongReport(one: Trial): readonly string[] {
  if (one.out === '') return untouched(one);
  const { outcome, targets } = JSON.parse(one.out) as {
    readonly outcome: string;
    readonly targets: readonly ReportedTarget[];
  };
  const faults = targets.flatMap(({ target, state, modules }) =>
    modules.flatMap(({ module, holds }) => {
      const really = truth(one, Number(target.slice(1)), module);
      const fits = HOLDS[state] === undefined || HOLDS[state] === holds;
      // Nobody else publishes here, so there is no conflict.
      return (holds === really || holds === 'unknown') && fits && state !== 'conflict'
        ? []
        : [`${target} ${module}: reported ${state} (${holds}), is ${really}`];
    }),
  );
  const isAllNew = one.after.every((held, index) => held.policy === one.version && isNewRestriction(one, held, index));
  if ((one.code === 0) !== (outcome === 'applied')) faults.push(`exit code ${one.code} with ${outcome}`);
  if (outcome === 'applied' && !isAllNew) faults.push('reported applied, but not all targets are new');
  return faults;
}

function isNewRestriction({ ipPolicy }: Trial, held: Held, index: number): boolean {
  return !isRestricted(index) || held.ipPolicy === ipPolicy;
}

/** Without a report, nothing may have been written, and messages must say why. */
function untouched({ before, after, code, err }: Trial): readonly string[] {
  const faults = JSON.stringify(before) === JSON.stringify(after) ? [] : ['changed without a report'];
  return code === 3 && /^(?:tollgate: .+\n)+$/.test(err) ? faults : [...faults, `exit code ${code}: ${err}`];
}

function runsNow({ name }: Lane): readonly Run[] {
  const path = join(publisher.folder, name, '.tollgate/history.jsonl');
  if (!existsSync(path)) return [];
  const reading = readJournal(readFileSync(path, 'utf8'));
  if (!reading.ok) throw new Error(`line ${reading.line} of the journal is damaged`);
  return runsIn(reading.entries as readonly JournalEntry[]);
}

/** What is wrong in the journal of a run: each module that it does not mention is old. */
function wrongJournal(one: Trial, run: Run | undefined): readonly string[] {
  const told = new Map(
    (run?.modules ?? []).map(({ intent, holds }) => [`${intent.target} ${intent.module}`, holds ?? 'open']),
  );
  return one.after.flatMap((_, index) =>
    (isRestricted(index) ? (['policy', 'ip_restriction'] as const) : (['policy'] as const)).flatMap(module => {
      const really = truth(one, index, module);
      const holds = told.get(`t${index} ${module}`);
      if (holds === 'open') return ['before', 'after'].includes(really) ? [] : [`t${index} ${module}: ${really}`];
      // A module that was as wanted before is both old and new.
      const isUntouched = holds === undefined && isSame(one, index, module);
      return holds === really || isUntouched ? [] : [`t${index} ${module}: the journal has ${holds}, is ${really}`];
    }),
  );
}

/** Publishes again and again, and returns how often which kind of end was reached. */
async function publishRepeatedly(lane: Lane, times: number): Promise<readonly string[]> {
  const kinds: string[] = [];
  let last: { readonly trial: Trial; readonly run: number } | undefined;
  for (let number = 1; number <= times; number++) {
    if (number % RUNS_PER_JOURNAL === 0) {
      rmSync(join(publisher.folder, lane.name, '.tollgate'), { recursive: true, force: true });
      last = undefined;
    }
    const earlier = runsNow(lane).length;
    const one = await trial(number, lane);
    const all = runsNow(lane);
    const run = all[earlier];
    const faults = [
      ...(one.isKilled ? [] : wrongReport(one)),
      ...wrongJournal(one, run),
      // The next run has found out what a killed one left behind.
      ...(last ? wrongJournal(last.trial, all[last.run]).map(fault => `settled later: ${fault}`) : []),
    ];
    const about = { lane: lane.name, number };
    expect({ ...about, faults, ...(faults.length > 0 && { out: one.out, err: one.err }) }).toEqual({
      ...about,
      faults: [],
    });
    last = run && { trial: one, run: earlier };
    kinds.push(one.isKilled ? 'killed' : (run?.outcome ?? 'refused'));
  }
  return kinds;
}

it(`never reports what is not so, in ${RUNS} runs with faults and kills`, async () => {
  console.log(`seed ${SEED}: TOLLGATE_PUBLISH_SEED=${SEED}`);
  const kinds = await Promise.all(lanes.map(lane => publishRepeatedly(lane, Math.ceil(RUNS / LANES))));
  const counts = Map.groupBy(kinds.flat(), kind => kind);
  console.log([...counts].map(([kind, list]) => `${list.length} ${kind}`).join(', '));
  expect(counts.get('applied')?.length ?? 0).toBeGreaterThan(0);
});
