// Writes a module and finds out what it then holds, whatever the network did meanwhile.

import { isSame, type Json } from './json.ts';
import type { LiveRecord } from './live.ts';
import type { Canonical, ModuleName, RecordRef } from './module.ts';
import { outdate, type Remote, readConfirmed, supersede, type TagWatch, type WriteAnswer } from './remote.ts';

/** A module to change, with what it must contain before. */
export interface ModuleChange {
  readonly module: ModuleName;
  readonly before: Canonical;
  readonly after: Canonical;
}

/** A record whose modules are being changed. All of them are looked at, whichever is written. */
export interface RecordWrite {
  readonly remote: Remote;
  readonly ref: RecordRef;
  readonly changes: readonly ModuleChange[];
  /** Modules of the target that already are as they should be. They are only looked at. */
  readonly settled: ReadonlyMap<ModuleName, Canonical>;
  readonly watch: TagWatch;
  /** Writes without an answer after which the record could not be read: they may still take effect. */
  readonly open: Map<ModuleName, Aim['goal']>;
}

/** A record as it was read. */
export interface Observation {
  readonly holds: ReadonlyMap<ModuleName, ModuleState>;
  /** Undefined if it cannot be read. */
  readonly record: LiveRecord | undefined;
  readonly tag: string | undefined;
  /** Why a module does not hold what it should. */
  readonly reason: string | undefined;
}

/** Which module is written, and what it is to hold: the new contents, or the old ones again. */
interface Aim {
  readonly module: ModuleName;
  readonly goal: 'before' | 'after';
}

/** How often a write is sent. */
const TRIES = 5;

/** How often the server may say that there are too many requests, in addition. */
const THROTTLED_TRIES = 20;

/**
 * Writes a module that holds what it held before, and reads the record back until it is certain what it holds. A write without a usable
 * answer is never taken for done, nor for not done: what is read back decides. Repeats the write only while the module still holds what it
 * held before.
 */
export async function writeAndVerify(
  write: RecordWrite,
  { module, goal }: Aim,
  seen: Observation,
): Promise<Observation> {
  const start = goal === 'after' ? 'before' : 'after';
  const change = write.changes.find(one => one.module === module)!;
  let now = seen;
  let [isUnanswered, wasAccepted, throttled] = [false, false, 0];
  for (let tried = 0; now.holds.get(module) === start && tried < TRIES; tried++) {
    const answer = await write.remote.write({ ref: write.ref, module, value: change[goal], tag: now.tag });
    if (answer.kind === 'rejected') {
      now = { ...now, reason: answer.message };
      break;
    }
    if (answer.kind === 'throttled' && throttled++ < THROTTLED_TRIES) tried -= 1;
    isUnanswered ||= answer.kind === 'unsettled';
    const isAccepted = answer.kind === 'accepted';
    wasAccepted ||= isAccepted;
    takeTag(write, answer, now.tag);
    const isExpected = (holds: Observation['holds']) => isAccepted && agrees(holds, { ...now, module, goal });
    const found = await observe(write, isExpected, answer.kind !== 'unsettled');
    if (found.holds.get(module) === 'unknown') {
      if (isUnanswered) write.open.set(module, goal);
      return { ...found, holds: new Map([...now.holds, [module, 'unknown' as const]]) };
    }
    const state = found.holds.get(module);
    const isOurs = state === 'after' || state === 'before';
    const why = isAccepted ? 'the server accepted the change but did not keep it' : answer.message;
    const reason = state === goal ? found.reason : (found.reason ?? (isOurs ? why : CHANGED));
    now = { ...found, reason };
  }
  if (now.holds.get(module) !== start) return now;
  // A tag would tell whether this is the state from before the write.
  if (wasAccepted && now.tag === undefined) {
    return { ...now, holds: new Map([...now.holds, [module, 'unknown' as const]]) };
  }
  return isUnanswered && now.tag !== undefined ? await invalidateLateWrite(write, { module, goal }, now) : now;
}

/** Takes in what the answer to a write says about tags. */
function takeTag({ watch }: RecordWrite, answer: WriteAnswer, sent: string | undefined): void {
  if (answer.kind === 'accepted' && answer.tag !== undefined) supersede(watch, answer.tag);
  if (answer.kind === 'changed') outdate(watch, sent);
}

/** Returns true if the module is as it should be, and the others are as they were. */
function agrees(holds: Observation['holds'], { holds: was, module, goal }: Pick<Observation, 'holds'> & Aim): boolean {
  return [...holds].every(([one, state]) => state === (one === module ? goal : was.get(one)));
}

/** Reads a record again, and keeps open writes from taking effect after it. */
export async function observeAgain(write: RecordWrite): Promise<Observation> {
  let seen = await observe(write, () => false);
  if (seen.record === undefined) return seen;
  for (const [module, goal] of write.open) {
    write.open.delete(module);
    const isOpen = seen.holds.get(module) === (goal === 'after' ? 'before' : 'after') && seen.tag !== undefined;
    if (isOpen) seen = await invalidateLateWrite(write, { module, goal }, seen);
  }
  return seen;
}

/**
 * An unanswered request may arrive late. Writing what the module already holds gives the record another tag, which the late request does not
 * have. Without tags there is no remedy.
 */
async function invalidateLateWrite(write: RecordWrite, { module, goal }: Aim, seen: Observation): Promise<Observation> {
  const start = goal === 'after' ? 'before' : 'after';
  const change = write.changes.find(one => one.module === module)!;
  const { tag, reason } = seen;
  for (let tried = 0; tried < TRIES; tried++) {
    const answer = await write.remote.write({ ref: write.ref, module, value: change[start], tag });
    takeTag(write, answer, tag);
    const found = await observe(write, () => false, false);
    const state = found.holds.get(module);
    if (state === 'unknown') break;
    if (state !== start) return found;
    if (found.tag !== tag) return { ...found, reason };
  }
  const holds = new Map([...seen.holds, [module, 'unknown' as const]]);
  return { ...seen, holds, reason: `${reason}; the request may still take effect` };
}

const CHANGED = 'somebody else changed it';

/**
 * Reads a record and compares its modules with both of their expected states. What is not expected must be read twice, what somebody
 * else has written four times, and what has a tag that is known to be of an earlier state never counts. `isCurrent` is false if an unanswered write may have replaced the current tag.
 */
export async function observe(
  write: RecordWrite,
  isExpected: (holds: Observation['holds']) => boolean,
  isCurrent = true,
): Promise<Observation> {
  const { remote, ref, changes, settled, watch } = write;
  const modules = [...changes.map(({ module }) => module), ...settled.keys()];
  const reading = await readConfirmed(remote, ref, {
    essence: record => modules.map(module => record.modules[module]) as Json,
    isCertain: ({ record, tag }) => {
      const holds = statesIn(record, write);
      if (isExpected(holds)) return tag === undefined || !watch.superseded.has(tag);
      // Somebody else's state is worth a second look.
      return !isCurrent && tag !== undefined && tag !== watch.current && ![...holds.values()].includes('foreign');
    },
    isOutdated: ({ tag }) => tag !== undefined && isStrong(tag) && watch.superseded.has(tag),
    isSurprising: ({ record }) => [...statesIn(record, write).values()].includes('foreign'),
  });
  const unread = (state: ModuleState) => new Map(changes.map(({ module }) => [module, state]));
  if (!reading.ok) {
    const { kind, message } = reading.failure;
    if (kind === 'gone')
      return { holds: unread('foreign'), record: undefined, tag: undefined, reason: 'it no longer exists' };
    return { holds: unread('unknown'), record: undefined, tag: undefined, reason: message };
  }
  const { record, tag } = reading.value;
  supersede(watch, tag);
  const holds = statesIn(record, write);
  return { holds, record, tag, reason: [...holds.values()].includes('foreign') ? CHANGED : undefined };
}

/** Weak tags are derived from contents, and come back with them. */
function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

/** Returns the states of the modules to change, and of those that somebody else has changed. */
function statesIn({ modules }: LiveRecord, { changes, settled }: RecordWrite): ReadonlyMap<ModuleName, ModuleState> {
  const states = new Map<ModuleName, ModuleState>();
  for (const { module, before, after } of changes) {
    const live = modules[module];
    states.set(module, isSame(live, after) ? 'after' : isSame(live, before) ? 'before' : 'foreign');
  }
  for (const [module, value] of settled) if (!isSame(modules[module], value)) states.set(module, 'foreign');
  return states;
}

/**
 * What a target holds after an apply. `written`: the new modules. `unchanged`: the old ones; nothing was written, or the write did not happen.
 * `restored`: the old ones again. `not restored`: the new ones, or a mix of modules, although an apply that failed should have restored it.
 * `conflict`: somebody else has changed it; their configuration was left alone. `unknown`: it cannot be read.
 */
export type TargetState = 'written' | 'unchanged' | 'restored' | 'not restored' | 'conflict' | 'unknown';

/** The result for one target. */
export interface TargetOutcome {
  readonly target: string;
  readonly state: TargetState;
  /** Why the target is not `written`; undefined if it is. */
  readonly reason: string | undefined;
  readonly modules: readonly ModuleOutcome[];
  /** Why other machines do not know of the run; absent if they do. */
  readonly unshared?: string;
}

/** What a module holds. */
export interface ModuleOutcome {
  readonly module: ModuleName;
  readonly holds: ModuleState;
}

/** What was read back from a module: what it was, what it was to become, or neither; or it could not be read. */
export type ModuleState = 'before' | 'after' | 'foreign' | 'unknown';

/** The result of an apply. */
export interface ApplyOutcome {
  /** In the order of the plan. */
  readonly targets: readonly TargetOutcome[];
  readonly isInterrupted: boolean;
  /** Whether something other than a conflict prevented a target from being written. */
  readonly isFailed: boolean;
  /** Whether the server offers entity tags. Without them, conflicts are detected but not excluded. */
  readonly hasTags: boolean | undefined;
}
