import { type Canonical, canonicalModule } from '../model/canonical.ts';
import { isSame } from '../model/json.ts';
import type { ModuleName, RecordRef } from '../model/record.ts';
import type { Reading, Remote, TaggedRecord } from '../remote/remote.ts';
import type { ModuleState } from './outcome.ts';

/** A module to change, with what it must contain before. */
export interface ModuleChange {
  readonly ref: RecordRef;
  readonly module: ModuleName;
  readonly before: Canonical;
  readonly after: Canonical;
}

/** What a module holds after a write, as read back. */
export interface Settled {
  readonly holds: ModuleState;
  /** Why it does not hold what was to be written. */
  readonly reason: string | undefined;
  /** Whether an unanswered request may still change it. */
  readonly mayChange: boolean;
}

/** A module as it was read. */
export interface Sighting {
  readonly holds: ModuleState;
  readonly tag: string | undefined;
  readonly reason: string | undefined;
}

/** How often a write is sent. */
const TRIES = 5;

/**
 * Writes a module that holds what it held before, and reads it back until it is certain what it holds. A write without a usable answer is
 * never taken for done, nor for not done: what is read back decides. Repeats the write only while the module still holds what it held before.
 */
export async function settleWrite(remote: Remote, change: ModuleChange, seen: Sighting): Promise<Settled> {
  let { holds, tag, reason } = seen;
  let mayChange = false;
  for (let tried = 0; holds === 'before' && tried < TRIES; tried++) {
    const { ref, module, after } = change;
    const answer = await remote.write({ ref, module, value: after, tag });
    if (answer.kind === 'rejected') return { holds, reason: answer.message, mayChange };
    const found = await look(remote, change);
    if (answer.kind === 'unsettled') mayChange = true;
    // A conditional write ends all earlier ones with the same tag: they find another tag now.
    if (found.tag !== undefined && found.holds === 'after') mayChange = false;
    const isOurs = found.holds === 'after' || found.holds === 'before';
    const why = answer.kind === 'accepted' ? 'the server accepted the change but did not keep it' : answer.message;
    reason = found.holds === 'after' ? undefined : (found.reason ?? (isOurs ? why : CHANGED));
    ({ holds, tag } = found);
  }
  return { holds, reason, mayChange };
}

const CHANGED = 'somebody else changed it';

/** How often a surprising module is read until two readings agree. */
const GLANCES = 5;

/** Reads a module and compares it with both of its expected states. A surprise counts only if it is read twice: responses may be damaged. */
export async function look(remote: Remote, change: ModuleChange): Promise<Sighting> {
  let last: Glance | undefined;
  for (let tried = 0; tried < GLANCES; tried++) {
    const next = await glance(remote, change);
    if (next.holds !== 'foreign' || (last?.holds === 'foreign' && isSame(last.value, next.value))) return next.sighting;
    last = next;
  }
  return { holds: 'unknown', tag: undefined, reason: 'each response is different' };
}

interface Glance {
  readonly holds: ModuleState;
  readonly value: Canonical;
  readonly sighting: Sighting;
}

async function glance(remote: Remote, { ref, module, before, after }: ModuleChange): Promise<Glance> {
  const reading: Reading<TaggedRecord> = await remote.read(ref);
  if (!reading.ok) {
    const { kind, message } = reading.failure;
    const reason = kind === 'gone' ? 'it no longer exists' : message;
    const holds = kind === 'gone' ? 'foreign' : 'unknown';
    return { holds, value: null, sighting: { holds, tag: undefined, reason } };
  }
  const { record, tag } = reading.value;
  const value = canonicalModule(module, record.modules[module]);
  const holds = isSame(value, after) ? 'after' : isSame(value, before) ? 'before' : 'foreign';
  return { holds, value, sighting: { holds, tag, reason: holds === 'foreign' ? CHANGED : undefined } };
}
