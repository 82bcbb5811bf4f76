import { isSame, type Json } from '../model/json.ts';
import type { RecordRef } from '../model/record.ts';
import type { LiveRecord } from '../plan/live.ts';
import type { ReadResult, Remote, TaggedRecord } from './remote.ts';

/** How often a surprising record is read until two readings agree. */
const READINGS = 5;

/**
 * Reads a record whose contents lead to a decision. A surprise counts only if it is read twice in sequence, because responses may be damaged.
 * `surpriseIn` returns what is unexpected in a record; undefined if there is nothing. A record that is gone is a surprise, too.
 */
export async function readConfirmed(
  remote: Pick<Remote, 'read'>,
  ref: RecordRef,
  surpriseIn: (record: LiveRecord) => Json | undefined,
): Promise<ReadResult<TaggedRecord>> {
  let last: Json | undefined;
  for (let tried = 0; tried < READINGS; tried++) {
    const reading = await remote.read(ref);
    if (!reading.ok && reading.failure.kind !== 'gone') return reading;
    const surprise = reading.ok ? surpriseIn(reading.value.record) : GONE;
    if (surprise === undefined || (last !== undefined && isSame(last, surprise))) return reading;
    last = surprise;
  }
  return { ok: false, failure: { kind: 'unreachable', message: 'each response is different' } };
}

const GONE = { gone: true };
