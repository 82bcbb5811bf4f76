// The port to the API that is published to: reads, writes, pacing of requests, and readings that are confirmed.

import { isSame, type Json } from './json.ts';
import type { LiveEdges, LiveRecord } from './live.ts';
import type { Canonical, ModuleName, RecordKind, RecordRef } from './module.ts';

/** The API that is published to. Methods never throw for what the network or the server does. */
export interface Remote {
  /** Reads all edges of some kinds, with their routes and modules, in pages. Sends only reads. `seen` gets each page while the next is on its way. */
  readonly list: (kinds: readonly RecordKind[], seen?: SeenPage) => Promise<ReadResult<LiveEdges>>;
  /** Reads a record with its modules. */
  readonly read: (ref: RecordRef) => Promise<ReadResult<TaggedRecord>>;
  /** Waits before something is read again that was out of date: longer each time, `tried` being how often it was. */
  readonly pause: (tried: number) => Promise<void>;
  /** Replaces a module, or removes it if the value is null. Sends exactly one request. */
  readonly write: (write: ModuleWrite) => Promise<WriteAnswer>;
  /** Replaces the metadata of a record. Sends exactly one request. */
  readonly annotate: (annotation: Annotation) => Promise<WriteAnswer>;
}

/** Reads whole edges. */
export interface EdgeReader {
  /**
   * Returns an edge as the API does, in addition with the `traffic_policy` of each route whose `policy` is null: it is null if the route has no
   * policy at all.
   */
  readonly readEdge: (id: string) => Promise<ReadResult<Readonly<Record<string, unknown>>>>;
}

/** Gets the records of a page. */
export type SeenPage = (records: readonly LiveRecord[]) => void;

/** A record and the entity tag of its state; undefined if the server offers none. */
export interface TaggedRecord {
  readonly record: LiveRecord;
  readonly tag: string | undefined;
}

/** A value that was read, or why it could not be. */
export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: RemoteFailure };

/** Why a read failed. `gone`: the record does not exist. */
export interface RemoteFailure {
  readonly kind: 'gone' | 'rejected' | 'unreachable';
  readonly message: string;
}

/** A request to write. */
export interface ModuleWrite {
  readonly ref: RecordRef;
  readonly module: ModuleName;
  readonly value: Canonical;
  /** The tag that the write is conditional on. */
  readonly tag: string | undefined;
}

/** A request to replace metadata. */
export interface Annotation {
  readonly ref: RecordRef;
  readonly metadata: string;
  /** The tag that the write is conditional on. */
  readonly tag: string | undefined;
}

/**
 * How a write ended. `accepted`: the server says that it was done. `rejected`: it was not done. `changed`: the record no longer has the tag.
 * `throttled`: it was not done, because there were too many requests. `unsettled`: it may or may not have been done, now or later.
 */
export type WriteAnswer =
  | {
      readonly kind: 'accepted';
      /** The tag of the record after the write, if the server offers one. */
      readonly tag: string | undefined;
    }
  | { readonly kind: 'rejected' | 'changed' | 'throttled' | 'unsettled'; readonly message: string };

/** How often a record is read until enough readings in sequence agree. */
const READINGS = 8;

/** How many readings in sequence must agree that somebody else has changed a record. A cache that is behind agrees with itself for a while. */
const SURPRISING = 4;

/** How to read a record whose contents lead to a decision. */
export interface Confirmation {
  /** What the decision depends on. */
  readonly essence: (record: LiveRecord) => Json;
  /** Whether a reading needs no second one: what else is known agrees with it. */
  readonly isCertain: (reading: TaggedRecord) => boolean;
  /** Whether a reading is known to be out of date, so that it never counts. */
  readonly isOutdated?: (reading: TaggedRecord) => boolean;
  /** Whether a reading contradicts what was read before, so that four in sequence must agree, with pauses between them. */
  readonly isSurprising?: (reading: TaggedRecord) => boolean;
}

/**
 * Reads a record until a reading is certain, or two in sequence agree: a response may be damaged, or come from a cache that has an older
 * state. A record that is gone must be gone twice.
 */
export async function readConfirmed(
  remote: Pick<Remote, 'read' | 'pause'>,
  ref: RecordRef,
  { essence, isCertain, isOutdated = () => false, isSurprising = () => false }: Confirmation,
): Promise<ReadResult<TaggedRecord>> {
  let last: Json | undefined;
  let [outdated, agreeing] = [0, 0];
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
    agreeing = last !== undefined && isSame(last, found) ? agreeing + 1 : 1;
    last = found;
    const isSurprise = reading.ok && isSurprising(reading.value);
    if (agreeing >= (isSurprise ? SURPRISING : 2)) return reading;
    if (isSurprise && tried + 1 < READINGS) await remote.pause(agreeing);
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

/** The clock and randomness of a remote. */
export interface Timing {
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/** Keeps the requests of all workers within the rate of the API. */
export interface Pacer {
  /** Resolves when the next request may be sent, and counts it. Returns when it is sent, for {@link Pacer.slowDown}. */
  readonly take: () => Promise<number>;
  /**
   * Takes in that the server has refused a request because there were too many. Lets no request pass for as long as the server asks, or
   * else for longer each time, and sends further ones more slowly.
   */
  readonly slowDown: (sentAt: number, askedMs: number | undefined) => void;
  /** Takes in that the server has answered. */
  readonly speedUp: () => void;
}

const WINDOW = 60_000;

/** Why requests wait: they would exceed the limit that the user has set, or the server has refused some. */
export type WaitReason = 'rate' | 'server';

/** Is told of long waits, in milliseconds. */
type Announce = (ms: number, reason: WaitReason) => void;

/** The shortest and the longest pause after a refusal for which the server names none. Together, seven of them outlast a minute. */
const PAUSE = { first: 500, longest: 32_000 };

/** How far requests are apart after the first refusal, and at most. */
const GAP = { first: 20, longest: 2000 };

/** By what part the gap shrinks with each answer. */
const RECOVERY = 0.9;

/**
 * Creates a pacer that begins without a pause between requests, and finds out what the server accepts. With a `limit`, it admits at most so
 * many requests in any 60 seconds.
 */
export function createPacer(limit: number | undefined, timing: Timing, announce: Announce = () => undefined): Pacer {
  const sent: number[] = [];
  let [pausedUntil, pausedAt, nextAt] = [0, Number.NEGATIVE_INFINITY, 0];
  let [gap, refusals] = [0, 0];
  const delay = (): readonly [ms: number, reason: WaitReason] => {
    const now = timing.now();
    while (sent.length > 0 && now - sent[0]! >= WINDOW) sent.shift();
    const full = limit === undefined || sent.length < limit ? 0 : sent[0]! + WINDOW - now;
    const paused = Math.max(pausedUntil, nextAt) - now;
    return paused > full ? [paused, 'server'] : [full, 'rate'];
  };
  return {
    take: async () => {
      for (let [ms, reason] = delay(); ms > 0; [ms, reason] = delay()) {
        if (ms >= ANNOUNCED) announce(ms, reason);
        await timing.wait(ms);
      }
      const now = timing.now();
      if (limit !== undefined) sent.push(now);
      nextAt = now + gap;
      return now;
    },
    slowDown: (sentAt, askedMs) => {
      const now = timing.now();
      // What was on its way already says nothing new.
      if (sentAt > pausedAt) {
        pausedAt = now;
        refusals += 1;
        gap = Math.min(Math.max(gap * 2, GAP.first), GAP.longest);
      }
      const ms = askedMs ?? Math.min(PAUSE.first * 2 ** (refusals - 1), PAUSE.longest);
      pausedUntil = Math.max(pausedUntil, now + ms * (askedMs === undefined ? 1 + timing.random() / 8 : 1));
    },
    speedUp: () => {
      refusals = 0;
      gap = gap < 1 ? 0 : gap * RECOVERY;
    },
  };
}

/** Shorter waits are not worth a message. */
const ANNOUNCED = 2000;
