/** Keeps what was applied in the metadata of the record, before it is written, so that every machine knows of it. */
import { type RecordRun, readState, stateText } from '../journal/record-state.ts';
import type { Keyed } from '../model/keyed.ts';
import { versionsOf } from '../plan/standing.ts';
import { outdate, supersede } from '../remote/read-confirmed.ts';
import { look, type RecordWrite, type Sighting } from './settle-write.ts';

/** What records tell of a run. */
export type RunStamp = Pick<
  RecordRun,
  'run' | 'sequence' | 'time' | 'command' | 'who' | 'keyId' | 'environment' | 'undoes' | 'commit' | 'project'
>;

/** A record that tells of the run, as it was read last. */
export interface SharedRun {
  readonly seen: Sighting;
  /** The metadata from before; undefined if it was left alone. */
  readonly former: string | undefined;
  /** Why other machines do not know of the run; undefined if they do. */
  readonly unshared: string | undefined;
}

/** How often metadata are sent. */
const TRIES = 3;

/** Announces a run in the metadata of a record. A run that cannot be announced is made all the same: the journal has it. */
export async function shareRun(
  write: RecordWrite,
  seen: Sighting,
  { stamp, target, keyed }: { readonly stamp: RunStamp; readonly target: string; readonly keyed: Keyed },
): Promise<SharedRun> {
  const former = seen.record!.metadata;
  const state = readState(former);
  if (state.kind === 'other') return { seen, former: undefined, unshared: 'its metadata is used for something else' };
  const modules = write.changes.map(change => [change.module, versionsOf(change.module, change, keyed)]);
  const run: RecordRun = { ...stamp, target, modules: Object.fromEntries(modules) };
  const text = stateText([run, ...(state.kind === 'state' ? state.runs : [])]);
  if (text === '') return { seen, former: undefined, unshared: 'it changes too much for its metadata' };
  const sent = await annotate(write, seen, text);
  return { seen: sent.seen, former, unshared: sent.failure };
}

/** Takes back what a run has announced but not done. Comparing it with what is live shows that as well, so a failure does no harm. */
export async function unshareRun(write: RecordWrite, seen: Sighting, former: string): Promise<void> {
  if (seen.record !== undefined) await annotate(write, seen, former);
}

interface Annotated {
  readonly seen: Sighting;
  readonly failure: string | undefined;
}

async function annotate(write: RecordWrite, seen: Sighting, metadata: string): Promise<Annotated> {
  let now = seen;
  let failure = 'no response';
  for (let tried = 0; tried < TRIES; tried++) {
    const { remote, ref, watch } = write;
    const answer = await remote.annotate({ ref, metadata, tag: now.tag });
    if (answer.kind === 'rejected') return { seen: now, failure: answer.message };
    if (answer.kind === 'accepted' && (answer.tag !== undefined || now.tag === undefined)) {
      supersede(watch, answer.tag);
      return { seen: { ...now, tag: answer.tag }, failure: undefined };
    }
    if (answer.kind === 'changed') outdate(watch, now.tag);
    if (answer.kind !== 'accepted') failure = answer.message;
    const found = await look(write, holds => isSameHolds(holds, now), answer.kind !== 'unsettled');
    if (found.record === undefined) return { seen: now, failure: found.reason ?? failure };
    now = found;
    if (found.record.metadata === metadata) return { seen: now, failure: undefined };
    // Somebody else has written it: what they keep there must not be lost.
    if (found.record.metadata !== seen.record!.metadata) break;
  }
  return { seen: now, failure };
}

function isSameHolds(holds: Sighting['holds'], seen: Sighting): boolean {
  return [...holds].every(([module, state]) => seen.holds.get(module) === state);
}
