import { createHash } from 'node:crypto';
import { LostCounts } from './lost-counts.ts';
import { type Bounds, SlotCounts } from './slot-counts.ts';

/** How a limit counts. */
export interface WindowSettings {
  readonly windowMs: number;
  /** Requests that pass in one window, for each key. */
  readonly capacity: number;
  /** Keys that are counted apart at most; of those beyond, the ones that have been quiet longest are only bounded. */
  readonly maxKeys?: number;
}

/** What a limit says of one request. */
export interface Verdict {
  /** `open`: it hangs on what is not known. */
  readonly kind: 'passes' | 'limited' | 'open';
  /** Of requests that have passed, before this one. */
  readonly counted: Bounds;
  /** Until there is room again, where it is limited. */
  readonly retryAfterMs: number;
}

/** Parts of a window: what is counted is right to a sixtieth of it. */
const SLOTS = 60;
const MAX_KEYS = 250_000;
/** Longer keys are hashed, since clients can send long ones. */
const LONGEST_KEY = 64;

/**
 * Counts requests by key in a sliding window: those that pass, since those that are refused take no room. Every number has bounds: where it
 * is not known whether a request came this far, which key it has or when it came, it may have taken room and may not.
 */
export class SlidingWindow {
  readonly #settings: WindowSettings;
  /** In the order of their last request. */
  readonly #keys = new Map<string, SlotCounts>();
  /** Requests that may have been of any key. */
  readonly #ofAnyKey = new SlotCounts();
  /** Of keys that were given up. */
  readonly #lost: LostCounts;
  /** Requests that may have come at any time. */
  #atAnyTime = 0;

  constructor(settings: WindowSettings) {
    this.#settings = settings;
    this.#lost = new LostCounts(SLOTS, settings.maxKeys ?? MAX_KEYS);
  }

  /**
   * Judges a request, and counts it. Amortised constant.
   *
   * @param key undefined when it is not known
   * @param at ms, none that is earlier than one before; undefined when it is not known
   * @param isCertain the request has certainly come this far
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

  /** Keys that are counted apart now. */
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

  /** Gives up keys that count nothing any more, and those beyond the limit. */
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
