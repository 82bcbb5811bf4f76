import type { Limits } from '../../limits.ts';
import type { CompiledPattern } from '../../regex/compile-matcher.ts';
import type { Re2Pattern } from '../../regex/re2.ts';
import type { TimeZone } from '../../values/time-zone.ts';
import type { EvaluationError, NonValue, Value } from '../../values/value.ts';
import type { BoundedCache } from './bounded-cache.ts';

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
