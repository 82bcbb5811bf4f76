import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { applyPlan } from './apply.ts';
import { FakeRemote, type Fault, type RequestKind } from './fake-remote.ts';
import { type JournalEntry, runsIn } from './journal.ts';
import { createKeyed, isSame } from './json.ts';
import type { LiveRecord } from './live.ts';
import { type Canonical, canonicalModule, type ModuleName, type RecordRef } from './module.ts';
import { type PlannedTarget, planTarget } from './plan.ts';
import type { TargetOutcome } from './write-and-verify.ts';

const KEYED = createKeyed(Buffer.from('a key for tests'));

const STAMP = {
  run: 'x',
  sequence: 1,
  time: '2027-01-31T00:00:00.000Z',
  command: 'apply',
  who: 'alice',
  keyId: KEYED.keyId,
  environment: 'test',
} as const;

function policy(status: number): Canonical {
  return canonicalModule('policy', {
    inbound: [{ name: 'all', actions: [{ type: 'deny', config: { status_code: status } }] }],
  });
}

const RESTRICTION = { old: ids('ipp_1'), new: ids('ipp_2'), foreign: ids('ipp_3') };

function ids(...list: readonly string[]): Canonical {
  return canonicalModule('ip_restriction', { ip_policy_ids: list });
}

const OLD: Readonly<Record<ModuleName, Canonical>> = {
  policy: policy(403),
  ip_restriction: RESTRICTION.old,
  webhook_verification: null,
};
const NEW: Readonly<Record<ModuleName, Canonical>> = {
  policy: policy(404),
  ip_restriction: RESTRICTION.new,
  webhook_verification: null,
};

function refs(count: number): readonly RecordRef[] {
  return Array.from({ length: count }, (_, index) => ({ kind: 'https-route', id: `r${index}`, edgeId: 'e' }));
}

const RECORD: Omit<LiveRecord, 'ref'> = { hostports: [], route: undefined, modules: OLD, metadata: '' };

function planned(
  ref: RecordRef,
  modules: readonly ModuleName[],
  record: LiveRecord = { ...RECORD, ref },
): PlannedTarget {
  const target = {
    name: ref.id,
    address: { kind: ref.kind, edge: 'e', route: { id: ref.id } },
    modules: modules.map(module => ({ module, value: NEW[module], source: undefined })),
    allowErase: false,
  };
  const found = planTarget(target, { record }, { lastApplied: () => undefined });
  if ('message' in found) throw new Error(found.message);
  return found;
}

interface Trial {
  readonly remote: FakeRemote;
  readonly targets: readonly PlannedTarget[];
  readonly rollBack?: boolean;
  readonly signal?: AbortSignal;
}

async function apply({ remote, targets, rollBack = true, signal = new AbortController().signal }: Trial) {
  const entries: JournalEntry[] = [];
  const reports: TargetOutcome[] = [];
  const journal = async (entry: JournalEntry) => void entries.push(entry);
  const report = (one: TargetOutcome) => void reports.push(one);
  const outcome = await applyPlan(targets, {
    remote,
    journal,
    keyed: KEYED,
    stamp: STAMP,
    concurrency: 3,
    rollBack,
    report,
    signal,
  });
  return { outcome, entries, reports };
}

/** What is wrong with the report, given what the remote really holds. */
function wrongReports(
  remote: FakeRemote,
  targets: readonly PlannedTarget[],
  outcomes: readonly TargetOutcome[],
): readonly string[] {
  return outcomes.flatMap(({ state, modules }, index) => {
    const { ref } = targets[index]!;
    return modules.flatMap(({ module, holds }) => {
      const held = remote.held(ref, module);
      const really = isSame(held, NEW[module]) ? 'after' : isSame(held, OLD[module]) ? 'before' : 'foreign';
      const isRight = holds === really || holds === 'unknown';
      const fits =
        (state === 'written' && holds === 'after') ||
        (['unchanged', 'restored'].includes(state) && holds === 'before') ||
        ['not restored', 'conflict', 'unknown'].includes(state);
      return isRight && fits ? [] : [`${ref.id} ${module}: reported ${state}, ${holds}; is ${really}`];
    });
  });
}

function scripted(faults: readonly Fault[]): () => Fault {
  let at = 0;
  return () => faults[at++] ?? 'none';
}

describe('applyPlan', () => {
  it('announces a run even if it first read metadata that somebody else has replaced', async () => {
    const [ref] = refs(1);
    const remote = new FakeRemote([[ref!, OLD]], scripted(['none', 'stale']));
    await remote.annotate({ ref: ref!, metadata: '{"tollgate":{"version":1,"runs":[]}}', tag: undefined });
    const { outcome } = await apply({ remote, targets: [planned(ref!, ['policy'])] });
    expect(outcome.targets).toEqual([
      { target: 'r0', state: 'written', reason: undefined, modules: [{ module: 'policy', holds: 'after' }] },
    ]);
    const { record } = ((await remote.read(ref!)) as { readonly value: { readonly record: LiveRecord } }).value;
    expect(JSON.parse(record.metadata)).toMatchObject({ tollgate: { runs: [{ target: 'r0' }] } });
  });

  it('writes changed modules only, and reads them back', async () => {
    const [ref] = refs(1);
    const remote = new FakeRemote([[ref!, { ...OLD, ip_restriction: NEW.ip_restriction }]]);
    const target = planned(ref!, ['policy']);
    const { outcome, entries } = await apply({ remote, targets: [target] });
    expect(outcome).toEqual({
      targets: [{ target: 'r0', state: 'written', reason: undefined, modules: [{ module: 'policy', holds: 'after' }] }],
      isInterrupted: false,
      isFailed: false,
      hasTags: true,
    });
    expect(entries.map(({ kind }) => kind)).toEqual(['intent', 'outcome']);
    expect([remote.held(ref!, 'policy'), remote.writes]).toEqual([NEW.policy, 1]);
  });

  it('restores all targets if one is rejected', async () => {
    const all = refs(3);
    let count = 0;
    const next = (request: RequestKind): Fault => (request === 'write' && ++count === 3 ? 'rejected' : 'none');
    const remote = new FakeRemote(
      all.map(ref => [ref, OLD]),
      next,
    );
    const targets = all.map(ref => planned(ref, ['policy']));
    const { outcome } = await apply({ remote, targets });
    expect(outcome.targets.map(({ state }) => state).toSorted()).toEqual(['restored', 'restored', 'unchanged']);
    for (const ref of all) expect(remote.held(ref, 'policy')).toEqual(OLD.policy);
  });

  it('leaves alone what somebody else has changed since it was written', async () => {
    const all = refs(2);
    let count = 0;
    const next = (request: RequestKind): Fault => {
      if (request !== 'write' || ++count !== 2) return 'none';
      remote.change(all[0]!, 'policy', policy(418));
      return 'rejected';
    };
    const remote = new FakeRemote(
      all.map(ref => [ref, OLD]),
      next,
    );
    const journal = async () => undefined;
    const options = { remote, journal, keyed: KEYED, stamp: STAMP, rollBack: true, report: () => undefined };
    const targets = all.map(ref => planned(ref, ['policy']));
    const { signal } = new AbortController();
    const outcome = await applyPlan(targets, { ...options, concurrency: 1, signal });
    expect(outcome.targets.map(({ state, reason }) => [state, reason])).toEqual([
      ['not restored', 'somebody else changed it'],
      ['unchanged', 'no'],
    ]);
    expect(remote.held(all[0]!, 'policy')).toEqual(policy(418));
  });

  it('reports a conflict and continues with other targets', async () => {
    const all = refs(2);
    const remote = new FakeRemote(all.map(ref => [ref, OLD]));
    remote.change(all[0]!, 'policy', policy(418));
    const { outcome } = await apply({ remote, targets: all.map(ref => planned(ref, ['policy'])) });
    expect(outcome.targets.map(({ state }) => state)).toEqual(['conflict', 'written']);
    expect(remote.held(all[0]!, 'policy')).toEqual(policy(418));
  });

  it('repeats a conditional write if only another module of the record has changed', async () => {
    const [ref] = refs(1);
    let isChanged = false;
    const next = (request: RequestKind): Fault => {
      if (request === 'write' && !isChanged) remote.change(ref!, 'ip_restriction', RESTRICTION.foreign);
      isChanged ||= request === 'write';
      return 'none';
    };
    const remote = new FakeRemote([[ref!, OLD]], next);
    const { outcome } = await apply({ remote, targets: [planned(ref!, ['policy'])] });
    expect(outcome.targets[0]!.state).toBe('written');
    expect(remote.held(ref!, 'ip_restriction')).toEqual(RESTRICTION.foreign);
  });

  it('reports a conflict if a module of the target changes that the run leaves alone', async () => {
    const [ref] = refs(1);
    const foreign = ids('ipp_9');
    let isChanged = false;
    const next = (request: RequestKind): Fault => {
      if (request === 'write' && !isChanged) remote.change(ref!, 'ip_restriction', foreign);
      isChanged ||= request === 'write';
      return 'none';
    };
    const remote = new FakeRemote([[ref!, { ...OLD, ip_restriction: NEW.ip_restriction }]], next);
    const record = { ...RECORD, ref: ref!, modules: { ...OLD, ip_restriction: NEW.ip_restriction } };
    const target = planned(ref!, ['policy', 'ip_restriction'], record);
    const { outcome } = await apply({ remote, targets: [target] });
    expect(outcome.targets[0]).toMatchObject({ state: 'conflict', reason: 'somebody else changed it' });
    expect([remote.held(ref!, 'policy'), remote.held(ref!, 'ip_restriction')]).toEqual([OLD.policy, foreign]);
  });

  it('begins no further target after an interruption', async () => {
    const all = refs(5);
    const controller = new AbortController();
    const next = (request: RequestKind): Fault => {
      if (request === 'write') controller.abort();
      return 'none';
    };
    const remote = new FakeRemote(
      all.map(ref => [ref, OLD]),
      next,
    );
    const targets = all.map(ref => planned(ref, ['policy', 'ip_restriction']));
    const { outcome } = await apply({ remote, targets, signal: controller.signal });
    expect(outcome.isInterrupted).toBe(true);
    expect(outcome.targets.filter(({ state }) => state === 'written').length).toBe(3);
    expect(wrongReports(remote, targets, outcome.targets)).toEqual([]);
  });

  it('keeps a late request from changing what was reported', async () => {
    const [ref] = refs(1);
    const faults: Fault[] = ['late', 'rejected'];
    const next = (request: RequestKind): Fault => (request === 'write' ? (faults.shift() ?? 'none') : 'none');
    const remote = new FakeRemote([[ref!, OLD]], next);
    const { outcome } = await apply({ remote, targets: [planned(ref!, ['policy'])] });
    remote.arrive();
    expect([outcome.targets[0]!.state, remote.held(ref!, 'policy')]).toEqual(['unchanged', OLD.policy]);
  });

  const ANY_FAULT = fc.constantFrom<Fault>(
    'none',
    'none',
    'none',
    'lost',
    'unanswered',
    'late',
    'rejected',
    'accepted-lost',
    'unreadable',
    'damaged',
    'stale',
  );
  /** A server that is behind stays behind for a while. */
  const BEHIND = fc.integer({ min: 2, max: 10 }).map(count => Array.from({ length: count }, (): Fault => 'stale'));
  const FAULTS = fc
    .array(fc.oneof({ weight: 8, arbitrary: ANY_FAULT.map(one => [one]) }, { weight: 1, arbitrary: BEHIND }), {
      maxLength: 40,
      size: 'max',
    })
    .map(parts => parts.flat());

  it.each([
    ['all targets are restored', true],
    ['nothing is restored', false],
  ])('never reports what is not so, whatever happens to requests, if %s after a failure', async (_, rollBack) => {
    const states = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(FAULTS, fc.integer({ min: 1, max: 6 }), fc.boolean(), async (faults, count, isDouble) => {
        const all = refs(count);
        const remote = new FakeRemote(
          all.map(ref => [ref, OLD]),
          scripted(faults),
        );
        const modules: readonly ModuleName[] = isDouble ? ['policy', 'ip_restriction'] : ['policy'];
        const targets = all.map(ref => planned(ref, modules));
        const { outcome, entries } = await apply({ remote, targets, rollBack });
        // Requests that are still on their way must not change what was reported.
        remote.arrive();
        for (const { state } of outcome.targets) states.set(state, (states.get(state) ?? 0) + 1);
        expect(wrongReports(remote, targets, outcome.targets)).toEqual([]);
        const isClear = outcome.targets.map(({ state, reason }) => ['written', 'restored'].includes(state) || reason);
        expect(isClear).not.toContain(undefined);
        for (const { intent, holds } of runsIn([{ kind: 'begin', run: 'x' } as JournalEntry, ...entries])[0]!.modules) {
          const told = outcome.targets.find(one => one.target === intent.target)!;
          expect(holds ?? 'unknown').toBe(told.modules.find(one => one.module === intent.module)!.holds);
        }
      }),
      { numRuns: inject('isDeep') ? 500 : 150 },
    );
    const expected = rollBack ? ['restored', 'unchanged', 'unknown', 'written'] : ['unchanged', 'unknown', 'written'];
    expect([...states.keys()]).toEqual(expect.arrayContaining(expected));
  });
});
