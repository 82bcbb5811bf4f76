import type { Run } from './journal.ts';
import { isSame, type Keyed } from './json.ts';
import type { LiveRecord } from './live.ts';
import { type Canonical, MODULES, type ModuleName, recordKey } from './module.ts';
import { afterIn, digestOf, type ModuleVersions, type RecordRun, readState } from './record-state.ts';
import { maskSealed, sealModule, secretsIn } from './secrets.ts';

/** Which runs are in effect: what is live is compared with what each run has written, newest first. */

/** A live record with the runs that are known to have written it, newest first. */
export interface RecordHistory {
  readonly record: LiveRecord;
  readonly runs: readonly RecordRun[];
}

/** A run that is in effect. */
export interface Standing {
  readonly history: RecordHistory;
  readonly run: RecordRun;
  /** Whether somebody else has changed the record since. */
  readonly isOverwritten: boolean;
}

/** How a module relates to a run. `hidden`: that depends on secrets which are sealed with another key. */
type Relation = 'before' | 'after' | 'foreign' | 'hidden';

/** Returns the versions of a module as a run seals them. */
export function versionsOf(
  module: ModuleName,
  { before, after }: { readonly before: Canonical; readonly after: Canonical },
  keyed: Keyed,
): ModuleVersions {
  const [was, is] = [before, after].map(value => {
    const sealed = sealModule(module, value, keyed);
    return { digest: digestOf(sealed), sealed: { value: sealed } };
  });
  const hasSecrets = [before, after].some(value => secretsIn(module, value).length > 0);
  return { before: was!, after: is!, hasSecrets };
}

/** Returns a function that finds the runs of a record: those that the record itself knows, and those of a journal. */
export function createHistories(
  journal: readonly Run[],
  environment: string,
): (record: Pick<LiveRecord, 'ref' | 'metadata'>) => readonly RecordRun[] {
  const logged = new Map<string, RecordRun[]>();
  for (const run of journal) {
    if (run.begin.environment !== environment) continue;
    for (const [key, own] of Map.groupBy(run.modules, ({ intent }) => recordKey(intent.ref))) {
      const one = loggedRun(run, own, journal);
      if (one) logged.set(key, [one, ...(logged.get(key) ?? [])]);
    }
  }
  return ({ ref, metadata }) => {
    const state = readState(metadata);
    return merged(state.kind === 'state' ? state.runs : [], logged.get(recordKey(ref)) ?? [], journal);
  };
}

/** Undefined if the run has changed nothing. Modules that it has restored, or found changed, are left out. */
function loggedRun({ begin, number }: Run, modules: Run['modules'], journal: readonly Run[]): RecordRun | undefined {
  const kept = modules.filter(({ holds }) => holds === 'after' || holds === undefined);
  if (kept.length === 0) return undefined;
  const versions = kept.map(({ intent: { module, before, after } }) => {
    const [was, is] = [before, after].map(value => ({ digest: digestOf(value), sealed: { value } }));
    return [module, { before: was!, after: is!, hasSecrets: [before, after].some(hasSeals) }] as const;
  });
  const { run, time, command, who, keyId, environment, commit, sequence, project } = begin;
  const undoes = begin.undoesRun ?? journal.find(one => one.number === begin.undoes)?.begin.run;
  return {
    run,
    time,
    command,
    who,
    keyId,
    environment,
    target: kept[0]!.intent.target,
    // Journals of former versions are older than all that is at the edge.
    sequence: sequence ?? number - 1e9,
    ...(undoes !== undefined && { undoes }),
    ...(commit !== undefined && { commit }),
    ...(project !== undefined && { project }),
    modules: Object.fromEntries(versions),
  };
}

function hasSeals(value: Canonical): boolean {
  return !isSame(value, maskSealed(value));
}

/** The journal has more contents; the record knows the order. What the journal knows to be restored is not in effect. */
function merged(
  shared: readonly RecordRun[],
  logged: readonly RecordRun[],
  journal: readonly Run[],
): readonly RecordRun[] {
  const own = new Map(logged.map(one => [one.run, one]));
  const isLogged = new Set(journal.map(({ begin }) => begin.run));
  const kept = shared.flatMap(one => {
    const known = own.get(one.run);
    own.delete(one.run);
    return known ?? (isLogged.has(one.run) ? [] : one);
  });
  return [...kept, ...own.values()].sort((a, b) => b.sequence - a.sequence || (a.time < b.time ? 1 : -1));
}

/** Returns the newest run that has changed a record and is in effect; undefined if there is none. */
export function standingRun(history: RecordHistory, keyed: Keyed): Standing | undefined {
  const { record, runs } = history;
  const now = new Map(MODULES.map(module => [module, sealedDigest(module, record, keyed)]));
  const isOverwritten = new Set<ModuleName>();
  const isUndone = new Set<string>();
  for (const run of runs) {
    let isInEffect = false;
    for (const module of MODULES) {
      const versions = run.modules[module];
      if (!versions) continue;
      const found = relation(now.get(module)!, versions, { run, keyed });
      if (found === 'before') continue;
      if (found !== 'after') isOverwritten.add(module);
      now.set(module, versions.before.digest);
      if (run.command === 'rollback') isUndone.add(`${run.undoes} ${module}`);
      else isInEffect ||= !isUndone.has(`${run.run} ${module}`);
    }
    if (!isInEffect) continue;
    const own = MODULES.filter(module => run.modules[module]);
    return { history, run, isOverwritten: own.some(module => isOverwritten.has(module)) };
  }
  return undefined;
}

function sealedDigest(module: ModuleName, { modules }: LiveRecord, keyed: Keyed): string {
  return digestOf(sealModule(module, modules[module], keyed));
}

function relation(
  digest: string,
  { before, after, hasSecrets }: ModuleVersions,
  { run, keyed }: { readonly run: RecordRun; readonly keyed: Keyed },
): Relation {
  if (digest === after.digest) return 'after';
  if (digest === before.digest) return 'before';
  return hasSecrets && run.keyId !== keyed.keyId ? 'hidden' : 'foreign';
}

/** Returns how a live module relates to a run. */
export function relationTo(
  run: RecordRun,
  module: ModuleName,
  { record, keyed }: { readonly record: LiveRecord; readonly keyed: Keyed },
): Relation {
  return relation(sealedDigest(module, record, keyed), run.modules[module]!, { run, keyed });
}

/**
 * Returns true if a record does not hold what the newest run that is known has written to it. Then either somebody has changed it, or what
 * was read is out of date.
 */
export function isDoubtful({ record, runs }: RecordHistory, keyed: Keyed): boolean {
  return MODULES.some(module => {
    const newest = runs.find(run => run.modules[module]);
    return newest !== undefined && relationTo(newest, module, { record, keyed }) !== 'after';
  });
}

/** Returns the runs to undo next: the newest run in effect, on each record where it is. Empty if no run is in effect. */
export function newestStanding(histories: readonly RecordHistory[], keyed: Keyed): readonly Standing[] {
  const found = histories.flatMap(history => standingRun(history, keyed) ?? []);
  const [newest] = found.toSorted(
    ({ run: a }, { run: b }) => b.sequence - a.sequence || (a.time < b.time ? 1 : a.time > b.time ? -1 : 0),
  );
  return newest ? found.filter(({ run }) => run.run === newest.run.run) : [];
}

/** A module as it was last applied, sealed. `undefined` as a value: the contents are not stored, only that they differ from what is live. */
export interface LastApplied {
  readonly run: RecordRun;
  readonly sealed: Canonical | undefined;
  /** Whether it is known that the live module is this one. */
  readonly isLive: boolean;
  /** Whether secrets are sealed with another key, and so cannot be compared. */
  readonly isHidden: boolean;
}

/** Returns a module as it was last applied; undefined if it never was. */
export function lastApplied(
  { record, runs }: RecordHistory,
  module: ModuleName,
  keyed: Keyed,
): LastApplied | undefined {
  const live = sealModule(module, record.modules[module], keyed);
  for (const run of runs) {
    const versions = run.modules[module];
    if (!versions) continue;
    const found = relation(digestOf(live), versions, { run, keyed });
    // The run was taken back, or has failed.
    if (found === 'before') continue;
    if (found === 'after') return { run, sealed: live, isLive: true, isHidden: false };
    const isHidden = found === 'hidden';
    return { run, sealed: afterIn(versions), isLive: false, isHidden };
  }
  return undefined;
}

/** Returns a number for a new run, greater than that of each known one. */
export function nextSequence(histories: readonly RecordHistory[], journal: readonly Run[]): number {
  const known = histories.flatMap(({ runs }) => runs.map(({ sequence }) => sequence));
  return 1 + Math.max(0, ...known, ...journal.map(({ begin }) => begin.sequence ?? 0));
}
