import { createHash } from 'node:crypto';
import { LostCounts } from './lost-counts.ts';
import { type Bounds, SlotCounts } from './slot-counts.ts';

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
  return key.length > LONGEST_KEY ? createHash('sha256').update(key).digest('base64') : key;
}
