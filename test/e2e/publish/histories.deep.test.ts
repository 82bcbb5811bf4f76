import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs, seed } from '../../support/runs.ts';
import { type Mishap, type RememberingApi, startRememberingApi, type Version } from './remembering-api.ts';

/** `npm run test:deep` publishes 2,000 histories. */
const RUNS = runs(10, 2000, 'TOLLGATE_HISTORY_RUNS');
const SEED = seed(20_261_128, 'TOLLGATE_HISTORY_SEED');
const ROUTES = 3;
const MACHINES = ['alice', 'bob'] as const;
type Machine = (typeof MACHINES)[number];

/** What 25 histories contain already. */
const OFTEN = [
  'step: apply',
  'step: rollback',
  'step: drift',
  'step: plan',
  'step: fresh checkout',
  'step: foreign write, add',
  'step: foreign write, replace',
  'step: rename target',
  'step: rename file',
  'step: edit, rename',
  'a rollback by the same machine',
  'a rollback by the other machine',
];

const home = process.cwd();
let folder: string;
let api: RememberingApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-histories-'));
  api = await startRememberingApi(ROUTES);
});

afterAll(() => {
  process.chdir(home);
  api.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** A rule of a policy: what its name and its expression contain. Neither occurs in another rule. */
interface Rule {
  readonly name: string;
  readonly token: string;
}

/** What a project has for one route: the names of the target and of the file, and the contents. */
interface TargetFiles {
  readonly name: string;
  readonly file: string;
  readonly rules: readonly Rule[];
  readonly ipPolicy: string | undefined;
}

/** A run that wrote a route: what it held before and after. */
interface Published {
  readonly run: number;
  readonly who: Machine;
  readonly before: Held;
  readonly after: Held;
}

/** What a route holds, as far as a project says it, in one string. */
type Held = string;

/** `behind`: several reads in a row are stale. With entity tags, the server says so itself. */
type ApplyMishap = Mishap | 'foreign write' | 'behind';

type Step =
  | { readonly kind: 'edit'; readonly route: number; readonly how: 'change' | 'add' | 'remove' | 'rename' | 'restrict' }
  | { readonly kind: 'rename target' | 'rename file'; readonly route: number }
  | { readonly kind: 'fresh checkout'; readonly machine: Machine }
  | { readonly kind: 'foreign write'; readonly route: number; readonly how: 'add' | 'replace' }
  | {
      readonly kind: 'apply';
      readonly machine: Machine;
      readonly mayErase: boolean;
      readonly mishap: ApplyMishap;
      readonly at: number;
    }
  | {
      readonly kind: 'rollback';
      readonly machine: Machine;
      readonly mishap: 'stale' | 'stale lists' | undefined;
      readonly at: number;
    }
  | { readonly kind: 'drift' | 'plan'; readonly machine: Machine; readonly hasStaleLists: boolean };

const ROUTE = fc.nat(ROUTES - 1);
const MACHINE = fc.constantFrom(...MACHINES);
const APPLY = fc.record({
  kind: fc.constant('apply' as const),
  machine: MACHINE,
  mayErase: fc.boolean(),
  mishap: fc.constantFrom<ApplyMishap>(
    undefined,
    undefined,
    undefined,
    'rejected',
    'rejected',
    'lost answer',
    'lost request',
    'stale',
    'behind',
    'foreign write',
  ),
  at: fc.nat(14),
});

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      route: ROUTE,
      how: fc.constantFrom('change', 'change', 'add', 'remove', 'rename', 'restrict'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('rename target', 'rename file'), route: ROUTE }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fresh checkout' as const), machine: MACHINE }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('foreign write' as const),
      route: ROUTE,
      how: fc.constantFrom('add', 'replace'),
    }),
  },
  { weight: 5, arbitrary: APPLY },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rollback' as const),
      machine: MACHINE,
      mishap: fc.constantFrom('stale', 'stale lists', undefined, undefined),
      at: fc.nat(8),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('drift', 'plan'),
      machine: MACHINE,
      hasStaleLists: fc.boolean(),
    }),
  },
);

/** What has happened so far, as somebody who has seen everything knows it. */
interface World {
  readonly files: TargetFiles[];
  /** Of each route, the runs in effect, oldest first. */
  readonly published: Published[][];
  /** Whether somebody else has written a route since. */
  readonly isForeign: boolean[];
  /** What was ever said by files, or by somebody else, of each route. */
  readonly said: Set<string>[];
  /** What was last applied to each route: of this, the guard against erasure knows the rules. */
  readonly known: Set<string>[];
  count: number;
  runs: number;
  /** How often what was done, in all histories. */
  readonly seen: Map<string, number>;
}

function note({ seen }: World, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

function newWorld(seen: World['seen']): World {
  const each = <T>(make: (route: number) => T) => Array.from({ length: ROUTES }, (_, route) => make(route));
  const world: World = {
    files: each(route => ({ name: `t${route}`, file: `p${route}.yaml`, rules: [], ipPolicy: undefined })),
    published: each(() => []),
    isForeign: each(() => false),
    said: each(() => new Set([heldIn(api.routes[0]![0]!)])),
    known: each(() => new Set()),
    count: 0,
    runs: 0,
    seen,
  };
  for (const [route, files] of world.files.entries()) {
    world.files[route] = { ...files, rules: Array.from({ length: 4 }, () => newRule(world)) };
  }
  return world;
}

function newRule(world: World): Rule {
  world.count += 1;
  return { name: `rule ${world.count}`, token: `token${world.count}` };
}

function ruleBody({ name, token }: Rule) {
  const actions = [{ type: 'deny', config: { status_code: 404 } }];
  return { name, expressions: [`req.URL.contains('${token}')`], actions };
}

/** The rules of a policy, and the IP policy, of a version. */
function rulesIn({ policy }: Pick<Version, 'policy'>): readonly Rule[] {
  const { inbound } = (policy ?? {}) as { readonly inbound?: readonly ReturnType<typeof ruleBody>[] | null };
  return (inbound ?? []).map(({ name, expressions }) => ({ name, token: /'(\w+)'/.exec(expressions[0]!)![1]! }));
}

function ipPolicyIn({ ip_restriction: restriction }: Pick<Version, 'ip_restriction'>): string | undefined {
  return (restriction as { readonly ip_policies: readonly { readonly id: string }[] } | null)?.ip_policies[0]?.id;
}

function heldOf(rules: readonly Rule[], ipPolicy: string | undefined): Held {
  return `${rules.map(({ name, token }) => `${name}=${token}`).join(' ')} | ${ipPolicy ?? ''}`;
}

function heldIn(version: Version): Held {
  return heldOf(rulesIn(version), ipPolicyIn(version));
}

function live(route: number): Held {
  return heldIn(api.routes[route]!.at(-1)!);
}

/** A file that does not mention the IP restriction leaves it as it is. */
function wanted({ files }: World, route: number): Held {
  const { rules, ipPolicy } = files[route]!;
  return heldOf(rules, ipPolicy ?? ipPolicyIn(api.routes[route]!.at(-1)!));
}

/** Writes the project as both machines have it checked out. */
function checkOut(world: World, machine: Machine): void {
  const directory = join(folder, machine);
  mkdirSync(directory, { recursive: true });
  process.chdir(directory);
  const targets = world.files.map(({ name, file, ipPolicy }, route) => {
    const restriction = ipPolicy === undefined ? '' : `, ipRestriction: { ipPolicies: [${ipPolicy}] }`;
    return `  ${name}: { policy: ${file}, route: { edge: e, id: r${route} }${restriction} }\n`;
  });
  writeFileSync('key', 'key');
  writeFileSync(
    'tollgate.yaml',
    `environments: { test: { url: "${api.url}", apiKey: { file: key }, concurrency: 1, requestsPerMinute: 10000000 } }
gates: { lint: off }
targets:
${targets.join('')}`,
  );
  for (const { file, rules } of world.files) writeFileSync(file, JSON.stringify({ inbound: rules.map(ruleBody) }));
}

function homeOf(machine: Machine): string {
  return join(folder, `home of ${machine}`);
}

/** Everything that a machine has is gone. */
function renew(machine: Machine): void {
  for (const path of [join(folder, machine), homeOf(machine)]) rmSync(path, { recursive: true, force: true });
}

async function run(args: readonly string[], machine: Machine) {
  const { code, output, errors } = await runCaptured(args, {
    env: { USER: machine, HOME: homeOf(machine), TOLLGATE_TRUST: '1' },
  });
  return { code, output, errors };
}

interface Reported {
  readonly outcome: string;
  readonly targets: readonly {
    readonly target: string;
    readonly state: string;
    readonly modules: readonly { readonly module: 'policy' | 'ip_restriction'; readonly holds: string }[];
  }[];
}

function edit(world: World, { route, how }: Extract<Step, { kind: 'edit' }>): void {
  const files = world.files[route]!;
  const [first, ...rest] = files.rules;
  const fresh = newRule(world);
  const changed: Partial<TargetFiles> = {
    change: { rules: first ? [...rest, { ...first, token: fresh.token }] : [fresh] },
    add: { rules: [...files.rules, fresh] },
    remove: { rules: rest.length > 0 ? rest : files.rules },
    rename: { rules: first ? [{ ...first, name: fresh.name }, ...rest] : [fresh] },
    restrict: { ipPolicy: `ipp_${world.count}` },
  }[how];
  world.files[route] = { ...files, ...changed };
}

/** What somebody else writes has always a rule that no file has. */
function foreignWrite(world: World, route: number, how: 'add' | 'replace'): void {
  const rules = how === 'add' ? rulesIn(api.routes[route]!.at(-1)!) : [];
  const inbound = [...rules, newRule(world)].map(ruleBody);
  api.change(route, { policy: { enabled: true, inbound, outbound: null } });
  world.isForeign[route] = true;
  world.said[route]!.add(live(route));
}

/** Why `apply` must refuse to erase, by the name of the target. */
function erasing(world: World): readonly string[] {
  return world.files.flatMap(({ name, rules }, route) => {
    const now = rulesIn(api.routes[route]!.at(-1)!);
    const removed = now.filter(one => !rules.some(other => other.name === one.name || other.token === one.token));
    const isUnknown = removed.some(one => !world.known[route]!.has(heldOf([one], undefined)));
    return isUnknown || removed.length * 3 > now.length ? [name] : [];
  });
}

/** Takes what a command has written into account, from what the routes held. */
function takeIn(world: World, route: number, { before, who, isWritten }: Taking): void {
  const since = api.routes[route]!.filter(({ revision }) => revision > before.revision);
  const own = since.findLast(({ by }) => by === 'publisher');
  if (!own || !isWritten) return;
  world.published[route]!.push({ run: world.runs, who, before: heldIn(before), after: heldIn(own) });
  world.isForeign[route] = since.some(({ by, revision }) => by === 'somebody else' && revision > own.revision);
  world.known[route] = new Set(rulesIn(own).map(one => heldOf([one], undefined)));
}

interface Taking {
  readonly before: Version;
  readonly who: Machine;
  readonly isWritten: boolean;
}

async function apply(world: World, step: Extract<Step, { kind: 'apply' }>): Promise<readonly string[]> {
  const { machine, mayErase, mishap, at } = step;
  checkOut(world, machine);
  const refusing = mayErase ? [] : erasing(world);
  const before = api.routes.map(versions => versions.at(-1)!);
  const aims = before.map((_, route) => wanted(world, route));
  for (const [route, aim] of aims.entries()) world.said[route]!.add(aim);
  world.runs += 1;
  let [count, lastRead] = [-1, api.routes.map(() => 0)];
  api.meet = ({ method, route, module }) => {
    if (route === undefined) return undefined;
    // Planning is over as soon as something is written.
    if (count >= 0 || method !== 'GET') count += 1;
    const isBehind = mishap === 'behind' && api.hasTags && count >= at && count < at + 3;
    const isNow = count === at || isBehind;
    if (isNow && mishap === 'foreign write') {
      foreignWrite(world, route, 'add');
      note(world, 'a foreign write during an apply');
    }
    lastRead = lastRead.map((one, index) => (index === route && method === 'GET' ? api.routes[route]!.length : one));
    if (!isNow || mishap === 'foreign write') return undefined;
    const isReading = mishap === 'stale' || mishap === 'behind';
    // A server that refuses metadata leaves the other machine without a trace of the run, and `apply` says so.
    if (isReading !== (method === 'GET') || (mishap === 'rejected' && module === undefined)) return undefined;
    if (mishap !== undefined) note(world, `a request of an apply: ${mishap}`);
    return isReading ? 'stale' : mishap;
  };
  const { code, output, errors } = await run(
    ['apply', '--yes', '-f', 'json', ...(mayErase ? ['--allow-erase'] : [])],
    machine,
  );
  api.meet = () => undefined;
  const faults = wronglyWritten(world, before);
  const isWritten = api.routes.some((versions, route) =>
    versions.some(({ revision, by }) => revision > before[route]!.revision && by === 'publisher'),
  );
  if (refusing.length > 0) {
    if (code !== 1 || isWritten || output !== '')
      faults.push(`erased rules of ${refusing}: ${code} ${output} ${errors}`);
    note(world, 'an apply that would erase');
    return faults;
  }
  if (output === '') return [...faults, `refused without a reason that the model knows: ${errors}`];
  const { outcome, targets } = JSON.parse(output) as Reported;
  note(world, `an apply of ${targets.length > 0 ? 'changes' : 'nothing'}: ${outcome}`);
  for (const { state } of targets) note(world, `a target: ${state}`);
  for (const [route, { name }] of world.files.entries()) {
    const told = targets.find(({ target }) => target === name);
    const seen = api.routes[route]![Math.max(lastRead[route]! - 1, 0)]!;
    const now = heldIn(seen);
    if (told === undefined) {
      if (heldIn(before[route]!) !== aims[route]) faults.push(`${name} is not in the report`);
      continue;
    }
    const { state } = told;
    if (state === 'written' && now !== aims[route]) faults.push(`${name}: written, but it holds ${now}`);
    if (['unchanged', 'restored'].includes(state) && now !== heldIn(before[route]!) && lastRead[route]! > 0)
      faults.push(`${name}: ${state}, but it holds ${now} instead of ${heldIn(before[route]!)}`);
    if (state === 'conflict' && mishap !== 'foreign write') faults.push(`${name}: conflict with nobody`);
    takeIn(world, route, { before: before[route]!, who: machine, isWritten: state === 'written' });
  }
  const isAll = aims.every((aim, route) => live(route) === aim);
  if (outcome === 'applied' && code !== 0) faults.push(`exit code ${code} after ${outcome}`);
  if (outcome === 'applied' && mishap === undefined && !isAll) faults.push('applied, but not everything is new');
  if (mishap === undefined && outcome !== 'applied') faults.push(`${outcome} without a mishap: ${output} ${errors}`);
  return faults;
}

/** Nothing may be published that no file says, and that was not there before. */
function wronglyWritten(world: World, before: readonly Version[]): string[] {
  return api.routes.flatMap((versions, route) =>
    versions
      .filter(({ revision, by }) => revision > before[route]!.revision && by === 'publisher')
      .flatMap(version =>
        isSaid(world, route, version) ? [] : [`r${route} got ${heldIn(version)}, which nobody said`],
      ),
  );
}

/** Between two modules of a target, one is new and the other old. */
function isSaid(world: World, route: number, version: Version): boolean {
  const said = [...world.said[route]!].map(partsOf);
  const [rules, ipPolicy] = partsOf(heldIn(version));
  return said.some(one => one[0] === rules) && said.some(one => one[1] === ipPolicy);
}

/** Whether a route no longer holds what a run wrote: also after the rollback of a later run that replaced somebody else's rules. */
function isChangedSince(run: Published, route: number): boolean {
  const [now, after] = [partsOf(live(route)), partsOf(run.after)];
  return changedParts(run).some(part => now[part] !== after[part]);
}

/** What a route holds without a run: of the parts that it did not change, what they hold now, whoever wrote that. */
function without(run: Published, route: number): Held {
  const [now, before, changed] = [partsOf(live(route)), partsOf(run.before), changedParts(run)];
  return PARTS.map(part => (changed.includes(part) ? before : now)[part]).join(' | ');
}

/** The rules and the IP restriction. */
const PARTS = [0, 1] as const;

function partsOf(held: Held): readonly string[] {
  return held.split(' | ');
}

function changedParts({ before, after }: Published): readonly (0 | 1)[] {
  return PARTS.filter(part => partsOf(before)[part] !== partsOf(after)[part]);
}

/** The newest run in effect anywhere, and what undoing it must leave behind. */
function undoing(world: World) {
  const newest = Math.max(0, ...world.published.map(list => list.at(-1)?.run ?? 0));
  const tops = world.published.map(list => (list.at(-1)?.run === newest && newest > 0 ? list.at(-1) : undefined));
  return {
    newest,
    who: tops.find(one => one !== undefined)?.who,
    expected: tops.map((top, route) => (top && !isChangedSince(top, route) ? without(top, route) : live(route))),
    undone: tops.map((top, route) => top !== undefined && !isChangedSince(top, route)),
    isRefused: tops.some((top, route) => top !== undefined && isChangedSince(top, route)),
  };
}

async function rollback(world: World, step: Extract<Step, { kind: 'rollback' }>): Promise<readonly string[]> {
  checkOut(world, step.machine);
  const { newest, who, expected, isRefused, undone } = undoing(world);
  const before = api.routes.map(versions => versions.at(-1)!);
  let count = 0;
  api.meet = ({ method, route }) => {
    const isNow = step.mishap === 'stale' && route !== undefined && method === 'GET' && count++ === step.at;
    if (!isNow && (step.mishap !== 'stale lists' || route !== undefined)) return undefined;
    note(world, `a request of a rollback: ${step.mishap}`);
    return 'stale';
  };
  const { code, output, errors } = await run(['rollback', '--yes', '-f', 'json'], step.machine);
  api.meet = () => undefined;
  const faults = wronglyWritten(world, before);
  for (const [route, aim] of expected.entries()) {
    if (live(route) !== aim)
      faults.push(`r${route} holds ${live(route)} after the rollback instead of ${aim}: ${errors}`);
  }
  const about = `${code} ${output} ${errors}`;
  note(
    world,
    newest === 0
      ? 'a rollback of nothing'
      : `a rollback by ${who === step.machine ? 'the same' : 'the other'} machine${isRefused ? ', in part refused' : ''}`,
  );
  if (newest === 0) {
    if (code !== 2 || !errors.includes('nothing to roll back')) faults.push(`rolled back nothing: ${about}`);
    return faults;
  }
  if (code !== (isRefused ? 1 : 0)) faults.push(`exit code: ${about}`);
  if (!errors.includes(` by ${who}`)) faults.push(`does not name ${who}: ${about}`);
  for (const [route, list] of world.published.entries()) {
    if (!undone[route]) continue;
    const run = list.pop()!;
    if (!changedParts(run).includes(0)) continue;
    world.known[route] = new Set(rulesIn(api.routes[route]!.at(-1)!).map(one => heldOf([one], undefined)));
  }
  return faults;
}

type Looking = Extract<Step, { kind: 'drift' | 'plan' }>;

async function look(world: World, { kind, machine, hasStaleLists }: Looking) {
  checkOut(world, machine);
  api.meet = ({ route }) => (route === undefined && hasStaleLists ? 'stale' : undefined);
  const found = await run([kind, '-f', 'json'], machine);
  api.meet = () => undefined;
  if (hasStaleLists) note(world, `a ${kind} with stale lists`);
  return found;
}

/** What somebody else has changed last is not known where lists do not show it yet. */
function isKnowable(world: World, route: number, { hasStaleLists }: Looking): boolean {
  return !hasStaleLists || (!world.isForeign[route] && world.published[route]!.length > 0);
}

async function plan(world: World, step: Looking): Promise<readonly string[]> {
  const { code, output, errors } = await look(world, step);
  if (code !== 0) return [`plan: ${errors}`];
  const { targets } = JSON.parse(output) as {
    readonly targets: readonly { readonly target: string; readonly changed: boolean }[];
  };
  return world.files.flatMap(({ name }, route) => {
    const told = targets.find(({ target }) => target === name)!.changed;
    const isChanged = live(route) !== wanted(world, route);
    return told === isChanged || !isKnowable(world, route, step) ? [] : [`${name}: plan says ${told}`];
  });
}

async function drift(world: World, step: Looking): Promise<readonly string[]> {
  const { output, errors } = await look(world, step);
  if (output === '') return [`drift: ${errors}`];
  const { targets } = JSON.parse(output) as {
    readonly targets: readonly {
      readonly target: string;
      readonly modules: readonly { readonly module: string; readonly sinceApplied?: readonly unknown[] }[];
    }[];
  };
  return world.files.flatMap(({ name }, route) => {
    const policy = targets.find(({ target }) => target === name)?.modules.find(({ module }) => module === 'policy');
    if (policy === undefined || !isKnowable(world, route, step)) return [];
    const since = policy.sinceApplied;
    const last = world.published[route]!.length > 0;
    if (world.isForeign[route] && last && (since === undefined || since.length === 0))
      return [`${name}: no drift since`];
    if (!world.isForeign[route] && last && since === undefined) return [`${name}: never applied`];
    if (!world.isForeign[route] && since !== undefined && since.length > 0) return [`${name}: drifted since`];
    return [];
  });
}

async function take(world: World, step: Step): Promise<readonly string[]> {
  if (step.kind === 'edit') edit(world, step);
  if (step.kind === 'rename target' || step.kind === 'rename file') {
    world.count += 1;
    const files = world.files[step.route]!;
    const changed = step.kind === 'rename file' ? { file: `f${world.count}.yaml` } : { name: `n${world.count}` };
    world.files[step.route] = { ...files, ...changed };
  }
  if (step.kind === 'foreign write') foreignWrite(world, step.route, step.how);
  if (step.kind === 'fresh checkout') renew(step.machine);
  if (step.kind === 'apply') return await apply(world, step);
  if (step.kind === 'rollback') return await rollback(world, step);
  if (step.kind === 'drift') return await drift(world, step);
  if (step.kind === 'plan') return await plan(world, step);
  return [];
}

it(`reports nothing that is not so, and goes no step too far, in ${RUNS} histories`, async () => {
  console.log(`seed ${SEED}: TOLLGATE_HISTORY_SEED=${SEED}`);
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 14 }), fc.boolean(), async (steps, hasTags) => {
      api.reset();
      api.hasTags = hasTags;
      for (const machine of MACHINES) renew(machine);
      const world = newWorld(seen);
      for (const [index, step] of steps.entries()) {
        const faults = await take(world, step);
        expect({ index, step, faults }).toEqual({ index, step, faults: [] });
        note(world, 'how' in step ? `step: ${step.kind}, ${step.how}` : `step: ${step.kind}`);
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  const counts = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([what, count]) => `${count} × ${what}`);
  console.log(counts.join('\n'));
  expect([...seen.keys()]).toEqual(expect.arrayContaining(OFTEN));
});
