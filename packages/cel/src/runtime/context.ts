// What implementations of functions share in a run: the budget of steps, limits and caches.

import type { Limits } from '../ast/limits.ts';
import type { CompiledPattern } from '../regex/compile-matcher.ts';
import type { Re2Pattern } from '../regex/re2.ts';
import { OUT_OF_STEPS } from '../values/errors.ts';
import type { TimeZone } from '../values/time.ts';
import { type EvaluationError, type NonValue, Optional, type Value } from '../values/value.ts';

/** Costly to create and small to keep. */
const CACHED_PATTERNS = 256;
const CACHED_TIME_ZONES = 64;

/** Returns the context for all runs of a program. */
export function createRunContext(limits: Limits): RunContext {
  return {
    limits,
    left: limits.maxSteps,
    patterns: new BoundedCache(CACHED_PATTERNS),
    regexps: new BoundedCache(CACHED_PATTERNS),
    timeZones: new BoundedCache(CACHED_TIME_ZONES),
  };
}

/** Reading this many characters or bytes is one step, because it takes far less time than an iteration of a loop. */
const CHARACTERS_PER_STEP = 16;

/** Returns the steps of reading or creating a whole value: its characters, elements or entries, without what is inside those. */
export function stepsOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_PER_STEP);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Uint8Array) return Math.floor(value.length / CHARACTERS_PER_STEP);
  return value instanceof Optional ? stepsOf(value.value) : 0;
}

/** Charges the budget for reading a value, and returns the value. */
export function chargeRead<T>(context: RunContext, value: T): T {
  context.left -= stepsOf(value);
  return value;
}

/** Charges the budget for creating a value. Returns the value, or an error if the budget is exceeded. */
export function chargeResult<T>(context: RunContext, value: T): T | EvaluationError {
  context.left -= stepsOf(value);
  return context.left < 0 ? OUT_OF_STEPS : value;
}

/** Clients may supply the strings; without this, each could keep megabytes alive. In UTF-16 units. */
const MAX_CACHED_LENGTH = 1000;

/** A cache for values that are costly to create from a string. When it is full, the least recently used one is dropped. */
export class BoundedCache<Cached> {
  readonly #capacity: number;
  readonly #cached = new Map<string, Cached>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the cached value for a string, or creates it with `make`. */
  get(text: string, make: (text: string) => Cached): Cached {
    if (text.length > MAX_CACHED_LENGTH) return make(text);
    const found = this.#cached.get(text);
    const made = found === undefined ? make(text) : found;
    // Inserting it again moves it to the end of the map's order.
    this.#cached.delete(text);
    this.#cached.set(text, made);
    if (this.#cached.size > this.#capacity) this.#cached.delete(this.#cached.keys().next().value!);
    return made;
  }
}

/**
 * The code of one overload. Arguments are in the representation of the overload's parameter types (a double as a number, a type parameter
 * tagged) and never a {@link NonValue}; the result is in that of the result type. Never throws: a failure is an `EvaluationError` with
 * expression id 0.
 */
export type ImplementationFunction = (...args: never[]) => Value | NonValue;

/** The code of one overload, with the properties that its callers need to know. */
export interface Implementation {
  readonly call: ImplementationFunction;
  /** True if it never returns a {@link NonValue} for arguments of the declared types, so that callers need not check. */
  readonly total: boolean;
  /** True if it takes the {@link RunContext} as its first argument. */
  readonly needsContext?: boolean;
  /**
   * Runs instead of `call` if the types are known only at run time and the elements of a list are not of the declared type. Takes and
   * returns tagged values; takes the context first if `call` does.
   */
  readonly mixed?: ImplementationFunction;
}

/** The state of a run that implementations share: limits, the remaining budget and caches. */
export interface RunContext {
  readonly limits: Limits;
  /**
   * Remaining steps of `maxSteps`. Negative once the evaluation has exceeded its budget, and from then on; code that spends steps checks
   * that. Reset for each evaluation.
   */
  left: number;
  /** Patterns computed at run time, compiled by RE2. */
  readonly patterns: BoundedCache<Re2Pattern | EvaluationError>;
  /** Patterns computed at run time, compiled without RE2. */
  readonly regexps: BoundedCache<CompiledPattern | EvaluationError>;
  /** By name or offset. */
  readonly timeZones: BoundedCache<TimeZone | EvaluationError>;
  /** The string that was parsed last as an address, and its bytes; undefined if it is none. */
  lastIp?: { readonly text: string; readonly bytes: readonly number[] | undefined };
}

/** An implementation that always returns a value. */
export function total(call: ImplementationFunction): Implementation {
  return { call, total: true };
}

/** An implementation that may return an error or an unknown. */
export function partial(call: ImplementationFunction): Implementation {
  return { call, total: false };
}

/** An implementation that may fail and takes the run context as its first argument. */
export function inContext(call: ImplementationFunction): Implementation {
  return { call, total: false, needsContext: true };
}
