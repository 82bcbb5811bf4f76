// The counters of rate limits and circuit breakers over a run: exact, or bounds where requests may or may not have counted.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@tollgate/diagnostics/portable';

/** Whether the upstream was asked, and whether it responded with an error; undefined if unknown. */
export interface UpstreamAnswer {
  readonly isAsked: boolean | undefined;
  readonly isError: boolean | undefined;
}

/**
 * State that actions keep from one exchange to the next: counters of rate limits and circuit breakers, by their settings. Time is that of the
 * traffic and never goes back: an exchange earlier than a previous one is treated as simultaneous.
 */
export class LimitSession {
  readonly #counters = new Map<object, unknown>();
  #clock = Number.NEGATIVE_INFINITY;
  #exchange: { readonly time: number | undefined } = { time: undefined };
  /** Undefined until it is needed: parsing the time of a log line is expensive. */
  #now: { readonly time: number | undefined } | undefined;
  #awaiting: { readonly breaker: CircuitBreaker; readonly isCertain: boolean }[] = [];
  #late = 0;
  /** Why the order of the exchanges is unknown; undefined if it is that of their time. */
  readonly orderFault: string | undefined;

  constructor(orderFault?: string) {
    this.orderFault = orderFault;
  }

  /** Makes an exchange the current one. Its time is read on first use. */
  begin(exchange: { readonly time: number | undefined }): void {
    this.#awaiting = [];
    this.#exchange = exchange;
    this.#now = undefined;
  }

  /** Returns a function that makes the current exchange the current one again, with what it waits for. */
  suspend(): () => void {
    const [exchange, now, awaiting] = [this.#exchange, this.#now, this.#awaiting];
    return () => {
      this.#exchange = exchange;
      this.#now = now;
      this.#awaiting = awaiting;
    };
  }

  /** The time of the current exchange, in ms; undefined if unknown. */
  get now(): number | undefined {
    this.#now ??= { time: this.#advance(this.#exchange.time) };
    return this.#now.time;
  }

  #advance(time: number | undefined): number | undefined {
    if (time === undefined || this.orderFault !== undefined) return undefined;
    if (time < this.#clock) this.#late++;
    this.#clock = Math.max(this.#clock, time);
    return this.#clock;
  }

  /** The number of exchanges that counted and were out of order. */
  get late(): number {
    return this.#late;
  }

  /** Returns the counter with these settings, which is made when it is first asked for. */
  counterOf<Settings extends object, Counter>(settings: Settings, make: new (settings: Settings) => Counter): Counter {
    const known = this.#counters.get(settings) as Counter | undefined;
    if (known !== undefined) return known;
    const counter = new make(settings);
    this.#counters.set(settings, counter);
    return counter;
  }

  /** The breaker lets the exchange pass, or may: it will be told the upstream's response. */
  await(breaker: CircuitBreaker, isCertain: boolean): void {
    this.#awaiting.push({ breaker, isCertain });
  }

  /** Ends the exchange. */
  finish({ isAsked, isError }: UpstreamAnswer): void {
    if (isAsked === false) return;
    for (const { breaker, isCertain } of this.#awaiting) {
      breaker.observe(this.now, isError, isCertain && isAsked === true);
    }
  }
}

/** How a limit counts. */
export interface WindowSettings {
  readonly windowMs: number;
  /** The number of requests that pass in one window, for each key. */
  readonly capacity: number;
  /** The number of keys that are counted separately; beyond it, the keys that were inactive longest only have bounds. */
  readonly maxKeys?: number;
}

/** The verdict of a limit on one request. */
interface Verdict {
  /** `open`: that depends on unknown inputs. */
  readonly kind: 'passes' | 'limited' | 'open';
  /** Requests that passed before this one. */
  readonly counted: Bounds;
  /** The time until there is room again, if it is limited. */
  readonly retryAfterMs: number;
}

/** Slots per window: counts are exact to a sixtieth of the window. */
const SLOTS = 60;
const MAX_KEYS = 250_000;
/** Longer keys are hashed, because clients can send long ones. */
const LONGEST_KEY = 64;

/**
 * Counts requests that pass, by key, in a sliding window; refused ones do not count. All numbers are bounds: a request may or may not count if
 * it is unknown whether it arrived, its key, or its time.
 */
export class SlidingWindow {
  readonly #settings: WindowSettings;
  /** In the order of their last request. */
  readonly #keys = new Map<string, SlotCounts>();
  /** Requests that may have any key. */
  readonly #ofAnyKey = new SlotCounts();
  /** Counts of dropped keys. */
  readonly #lost: LostCounts;
  /** Requests that may have arrived at any time. */
  #atAnyTime = 0;

  constructor(settings: WindowSettings) {
    this.#settings = settings;
    this.#lost = new LostCounts(SLOTS, settings.maxKeys ?? MAX_KEYS);
  }

  /**
   * Decides a request and counts it. Amortised constant time.
   * @param key undefined if unknown
   * @param at in ms, not before an earlier call; undefined if unknown
   * @param isCertain whether the request certainly arrives here
   */
  take(key: string | undefined, at: number | undefined, isCertain: boolean): Verdict {
    const { capacity } = this.#settings;
    if (key === undefined || at === undefined) return this.#takeBlindly(at);
    const slot = this.#slotOf(at);
    this.#expire(slot);
    const name = nameOf(key);
    const counts = this.#countsOf(name, slot);
    const own = counts.sum();
    const most = own.most + this.#ofAnyKeyAt(slot) + this.#lost.most(name, slot);
    const counted = { least: own.least, most: Math.min(capacity, most) };
    const kind = counted.least >= capacity ? 'limited' : counted.most < capacity ? 'passes' : 'open';
    if (kind !== 'limited') counts.add(slot, { least: kind === 'passes' && isCertain ? 1 : 0, most: 1 });
    return { kind, counted, retryAfterMs: kind === 'passes' ? 0 : this.#untilRoom(counts, at) };
  }

  /** The number of keys that are counted separately. */
  get size(): number {
    return this.#keys.size;
  }

  #takeBlindly(at: number | undefined): Verdict {
    if (at === undefined) this.#atAnyTime++;
    else this.#ofAnyKey.add(this.#slotOf(at), { least: 0, most: 1 });
    return { kind: 'open', counted: { least: 0, most: this.#settings.capacity }, retryAfterMs: 0 };
  }

  #slotOf(at: number): number {
    return Math.floor((at * SLOTS) / this.#settings.windowMs);
  }

  #untilRoom(counts: SlotCounts, at: number): number {
    const first = counts.first ?? this.#slotOf(at);
    return Math.max(1, ((first + SLOTS) * this.#settings.windowMs) / SLOTS - at);
  }

  #countsOf(name: string, slot: number): SlotCounts {
    const counts = this.#keys.get(name) ?? new SlotCounts();
    this.#keys.delete(name);
    this.#keys.set(name, counts);
    counts.forget(slot, SLOTS);
    return counts;
  }

  #ofAnyKeyAt(slot: number): number {
    this.#ofAnyKey.forget(slot, SLOTS);
    return this.#ofAnyKey.sum().most + this.#atAnyTime;
  }

  /** Drops keys whose counts have expired, and those beyond the limit. */
  #expire(slot: number): void {
    const { maxKeys = MAX_KEYS } = this.#settings;
    for (const [key, counts] of this.#keys) {
      const isQuiet = (counts.last ?? Number.NEGATIVE_INFINITY) <= slot - SLOTS;
      if (!isQuiet && this.#keys.size < maxKeys) return;
      this.#keys.delete(key);
      if (!isQuiet) this.#lost.add(key, counts.entries());
    }
  }
}

function nameOf(key: string): string {
  return key.length > LONGEST_KEY ? hashed(key) : key;
}

/** Long keys are kept as hashes that nobody can make collide. */
function hashed(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key)));
}

/** When a breaker trips, and for how long. */
export interface BreakerSettings {
  readonly windowMs: number;
  readonly buckets: number;
  readonly trippedMs: number;
  /** The number of requests in a window below which it does not trip. */
  readonly volumeThreshold: number;
  /** The fraction of errors, 0 to 1, at which it trips. */
  readonly errorThreshold: number;
}

/** Whether a request passes; `open`: that depends on unknown inputs. */
type Admission = 'passes' | 'refused' | 'open';

/**
 * The known state of a breaker: it counts; it has tripped, and will let one request pass as a trial; or it is unknown which, until a time
 * after which requests pass in any case.
 */
type Mode =
  | { readonly kind: 'counting' }
  | { readonly kind: 'tripped'; readonly until: number }
  /** `mayTry`: it may have tripped before and be waiting for its trial. */
  | { readonly kind: 'open'; readonly until: number; readonly mayTry: boolean }
  /** A request without a known time arrived, which may count in any window. */
  | { readonly kind: 'lost' };

const COUNTING: Mode = { kind: 'counting' };

/**
 * Refuses requests for a while after too many recent ones ended in upstream errors. After that time, one request passes as a trial: an error
 * trips the breaker again, anything else resets it. If statuses are unknown, its state may be unknown, too.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #requests = new SlotCounts();
  readonly #errors = new SlotCounts();
  #mode: Mode = COUNTING;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  /** @param at in ms, not before an earlier call; undefined if unknown */
  admit(at: number | undefined): Admission {
    const mode = this.#mode;
    if (mode.kind === 'counting') return 'passes';
    if (at === undefined || mode.kind === 'lost') return 'open';
    if (at >= mode.until) return 'passes';
    return mode.kind === 'tripped' ? 'refused' : 'open';
  }

  /**
   * Records the upstream's response to a request that passed, or may have.
   * @param at undefined if unknown
   * @param isError undefined if unknown
   * @param isCertain whether the upstream was certainly asked
   */
  observe(at: number | undefined, isError: boolean | undefined, isCertain: boolean): void {
    const mode = this.#mode;
    if (at === undefined || mode.kind === 'lost') this.#mode = { kind: 'lost' };
    else if (mode.kind === 'tripped') this.#judgeTrial(at, isError, isCertain);
    else if (mode.kind === 'open' && at >= mode.until) this.#judgePossibleTrial(at, isError, isCertain);
    else {
      this.#count(at, isError, isCertain && mode.kind === 'counting');
      if (mode.kind === 'open' && mode.mayTry && isError !== false) this.#leaveOpen(at, true);
    }
  }

  #leaveOpen(at: number, mayTry: boolean): void {
    this.#mode = { kind: 'open', until: at + this.#settings.trippedMs, mayTry };
  }

  #judgeTrial(at: number, isError: boolean | undefined, isCertain: boolean): void {
    if (isCertain && isError === true) {
      this.#mode = { kind: 'tripped', until: at + this.#settings.trippedMs };
      return;
    }
    this.#requests.clear();
    this.#errors.clear();
    // If the upstream was not asked, the next request is the trial.
    this.#mode = COUNTING;
    if (!isCertain || isError === undefined) this.#leaveOpen(at, !isCertain);
  }

  /** It was a successful trial, or the breaker had never tripped: it counts again from an uncertain state. */
  #judgePossibleTrial(at: number, isError: boolean | undefined, isCertain: boolean): void {
    this.#requests.doubt();
    this.#errors.doubt();
    this.#mode = COUNTING;
    if (!isCertain || isError !== false) this.#leaveOpen(at, !isCertain);
    this.#count(at, isError, false);
  }

  #count(at: number, isError: boolean | undefined, isCertain: boolean): void {
    const { windowMs, buckets, trippedMs } = this.#settings;
    const slot = Math.floor((at * buckets) / windowMs);
    for (const counts of [this.#requests, this.#errors]) counts.forget(slot, buckets);
    this.#requests.add(slot, { least: isCertain ? 1 : 0, most: 1 });
    this.#errors.add(slot, { least: isCertain && isError === true ? 1 : 0, most: isError === false ? 0 : 1 });
    const [requests, errors] = [this.#requests.sum(), this.#errors.sum()];
    if (isCertain && this.#tripsSurely(requests, errors)) this.#mode = { kind: 'tripped', until: at + trippedMs };
    // If it may have tripped before, that may be over earlier, and the next request would be a trial.
    else if (this.#mayTrip(requests, errors)) this.#leaveOpen(at, this.#mode.kind === 'open');
  }

  #tripsSurely(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    return requests.least >= volumeThreshold && errors.least >= errorThreshold * requests.most;
  }

  /** The fraction of errors is largest with the fewest requests: the threshold, or those that are certain. */
  #mayTrip(requests: Bounds, errors: Bounds): boolean {
    const { volumeThreshold, errorThreshold } = this.#settings;
    const fewest = Math.max(requests.least, volumeThreshold);
    return requests.most >= volumeThreshold && errors.most >= errorThreshold * fewest;
  }
}

/** The least and the most times that something happened. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Bounds by time slot; only the last few slots count. Takes three numbers for each slot with events. */
class SlotCounts {
  /** Slot, least, most, repeated in order of time. */
  readonly #counts: number[] = [];

  /** Drops slots that no longer count at `slot`. */
  forget(slot: number, span: number): void {
    let gone = 0;
    while (gone < this.#counts.length && this.#counts[gone]! <= slot - span) gone += 3;
    if (gone > 0) this.#counts.splice(0, gone);
  }

  /** @param slot not before an earlier one */
  add(slot: number, { least, most }: Bounds): void {
    const last = this.#counts.length - 3;
    if (last >= 0 && this.#counts[last]! >= slot) {
      this.#counts[last + 1]! += least;
      this.#counts[last + 2]! += most;
    } else this.#counts.push(slot, least, most);
  }

  sum(): Bounds {
    let [least, most] = [0, 0];
    for (let at = 0; at < this.#counts.length; at += 3) {
      least += this.#counts[at + 1]!;
      most += this.#counts[at + 2]!;
    }
    return { least, most };
  }

  /** The first slot in which something may have happened. */
  get first(): number | undefined {
    return this.#counts[0];
  }

  get last(): number | undefined {
    return this.#counts.at(-3);
  }

  /** The most that may have happened in each slot, in order of time. */
  *entries(): Generator<readonly [slot: number, most: number]> {
    for (let at = 0; at < this.#counts.length; at += 3) yield [this.#counts[at]!, this.#counts[at + 2]!];
  }

  /** Makes all counts uncertain. */
  doubt(): void {
    for (let at = 1; at < this.#counts.length; at += 3) this.#counts[at] = 0;
  }

  clear(): void {
    this.#counts.length = 0;
  }
}

/** Independent hash positions of each key. */
const ROWS = 2;
const FULL = 0xffff;
const SEEDS = [0x811c9dc5, 0x9e3779b9] as const;

/**
 * Bounds the counts of keys that are no longer kept separately, in constant memory. Keys share counters, so that a result is at least the true
 * count. Whole windows are dropped, at the earliest when the last of their counts has expired.
 */
class LostCounts {
  readonly #windowSlots: number;
  readonly #places: number;
  /** For the window of the latest loss, and the one before it. */
  #tables: readonly Table[] = [];

  /** @param keys expected number of lost keys at a time */
  constructor(windowSlots: number, keys: number) {
    this.#windowSlots = windowSlots;
    this.#places = 2 ** Math.ceil(Math.log2(Math.max(keys, 256) * 4));
  }

  /** @param counted the counts of a key by slot */
  add(key: string, counted: Iterable<readonly [slot: number, most: Bounds['most']]>): void {
    for (const [slot, most] of counted) {
      const table = this.#tableOf(Math.floor(slot / this.#windowSlots));
      table.lastSlot = Math.max(table.lastSlot, slot);
      for (let row = 0; row < ROWS; row++) {
        const place = row * this.#places + this.#cellOf(key, row);
        table.counts[place] = Math.min(FULL, table.counts[place]! + most);
      }
    }
  }

  /** Returns the most that a key may have lost and that still counts at a slot; slots must not decrease. */
  most(key: string, slot: number): number {
    if (this.#tables.length === 0) return 0;
    this.#tables = this.#tables.filter(({ lastSlot }) => lastSlot > slot - this.#windowSlots);
    let sum = 0;
    for (const { counts } of this.#tables) {
      let least = FULL;
      for (let row = 0; row < ROWS; row++)
        least = Math.min(least, counts[row * this.#places + this.#cellOf(key, row)]!);
      sum += least === FULL ? Number.POSITIVE_INFINITY : least;
    }
    return sum;
  }

  #tableOf(window: number): Table {
    const known = this.#tables.find(table => table.window === window);
    if (known !== undefined) return known;
    const table: Table = {
      window,
      lastSlot: Number.NEGATIVE_INFINITY,
      counts: new Uint16Array(ROWS * this.#places),
    };
    this.#tables = [...this.#tables, table];
    return table;
  }

  /** FNV-1a with a different start for each row. */
  #cellOf(key: string, row: number): number {
    let hash: number = SEEDS[row]!;
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#places - 1);
  }
}

interface Table {
  readonly window: number;
  lastSlot: number;
  readonly counts: Uint16Array;
}
