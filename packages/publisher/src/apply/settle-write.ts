import type { Canonical } from '../model/canonical.ts';
import { isSame } from '../model/json.ts';
import type { ModuleName, RecordRef } from '../model/record.ts';
import { readConfirmed } from '../remote/read-confirmed.ts';
import type { Remote } from '../remote/remote.ts';
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
}

/** A module as it was read. */
interface Sighting {
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
  let isUnanswered = false;
  for (let tried = 0; holds === 'before' && tried < TRIES; tried++) {
    const { ref, module, after } = change;
    const answer = await remote.write({ ref, module, value: after, tag });
    if (answer.kind === 'rejected') {
      reason = answer.message;
      break;
    }
    isUnanswered ||= answer.kind === 'unsettled';
    const found = await look(remote, change);
    const isOurs = found.holds === 'after' || found.holds === 'before';
    const why = answer.kind === 'accepted' ? 'the server accepted the change but did not keep it' : answer.message;
    reason = found.holds === 'after' ? undefined : (found.reason ?? (isOurs ? why : CHANGED));
    ({ holds, tag } = found);
  }
  const isOpen = holds === 'before' && isUnanswered && tag !== undefined;
  return isOpen ? await fence(remote, change, { holds, tag, reason }) : { holds, reason };
}

/**
 * An unanswered request may arrive late. Writing what the module already holds gives the record another tag, which the late request does not
 * have. Without tags there is no remedy.
 */
async function fence(remote: Remote, change: ModuleChange, { tag, reason }: Sighting): Promise<Settled> {
  const { ref, module, before } = change;
  for (let tried = 0; tried < TRIES; tried++) {
    await remote.write({ ref, module, value: before, tag });
    const found = await look(remote, change);
    if (found.holds === 'after') return { holds: 'after', reason: undefined };
    if (found.holds !== 'before') return { holds: found.holds, reason: found.reason };
    if (found.tag !== tag) return { holds: 'before', reason };
  }
  return { holds: 'unknown', reason: `${reason}; the request may still take effect` };
}

const CHANGED = 'somebody else changed it';

/** Reads a module and compares it with both of its expected states. */
export async function look(remote: Remote, { ref, module, before, after }: ModuleChange): Promise<Sighting> {
  const holdsOf = (value: Canonical) => (isSame(value, after) ? 'after' : isSame(value, before) ? 'before' : 'foreign');
  const reading = await readConfirmed(remote, ref, ({ modules }) =>
    holdsOf(modules[module]) === 'foreign' ? modules[module] : undefined,
  );
  if (!reading.ok) {
    const { kind, message } = reading.failure;
    if (kind === 'gone') return { holds: 'foreign', tag: undefined, reason: 'it no longer exists' };
    return { holds: 'unknown', tag: undefined, reason: message };
  }
  const { record, tag } = reading.value;
  const holds = holdsOf(record.modules[module]);
  return { holds, tag, reason: holds === 'foreign' ? CHANGED : undefined };
}
