import { isSame, type Json } from '../model/json.ts';
import type { RecordRef } from '../model/record.ts';
import type { LiveRecord } from '../plan/live.ts';
import type { ReadResult, Remote, TaggedRecord } from './remote.ts';

/** How often a record is read until two readings agree. */
const READINGS = 6;

/** How to read a record whose contents lead to a decision. */
export interface Confirmation {
  /** What the decision depends on. */
  readonly essence: (record: LiveRecord) => Json;
  /** Whether a reading needs no second one: what else is known agrees with it. */
  readonly isCertain: (reading: TaggedRecord) => boolean;
  /** Whether a reading is known to be out of date, so that it never counts. */
  readonly isOutdated?: (reading: TaggedRecord) => boolean;
}

/**
 * Reads a record until a reading is certain, or two in sequence agree: a response may be damaged, or come from a cache that has an older
 * state. A record that is gone must be gone twice.
 */
export async function readConfirmed(
  remote: Pick<Remote, 'read' | 'pause'>,
  ref: RecordRef,
  { essence, isCertain, isOutdated = () => false }: Confirmation,
): Promise<ReadResult<TaggedRecord>> {
  let last: Json | undefined;
  let outdated = 0;
  for (let tried = 0; tried < READINGS; tried++) {
    const reading = await remote.read(ref);
    if (!reading.ok && reading.failure.kind !== 'gone') return reading;
    if (reading.ok && isOutdated(reading.value)) {
      outdated += 1;
      if (tried + 1 < READINGS) await remote.pause(outdated);
      continue;
    }
    if (reading.ok && isCertain(reading.value)) return reading;
    const found = reading.ok ? essence(reading.value.record) : GONE;
    if (last !== undefined && isSame(last, found)) return reading;
    last = found;
  }
  const message =
    outdated > 0 ? 'the server keeps returning a state that is known to be out of date' : 'each response is different';
  return { ok: false, failure: { kind: 'unreachable', message } };
}

const GONE = { gone: true };

/** The entity tags of a record that were seen while it is written. */
export interface TagWatch {
  /** The newest tag that is known; undefined if none is, or if it may have been replaced. */
  current: string | undefined;
  /** Tags of earlier states. */
  readonly superseded: Set<string>;
}

/** Takes in that a tag is not current: the server has refused a write that was conditional on it. */
export function outdate(watch: TagWatch, tag: string | undefined): void {
  if (tag === undefined) return;
  watch.superseded.add(tag);
  if (watch.current === tag) watch.current = undefined;
}

/** Takes in the tag of a newer state. Some servers derive tags from contents, so that one may come back. */
export function supersede(watch: TagWatch, tag: string | undefined): void {
  if (watch.current !== undefined && watch.current !== tag) watch.superseded.add(watch.current);
  if (tag !== undefined) watch.superseded.delete(tag);
  watch.current = tag;
}
