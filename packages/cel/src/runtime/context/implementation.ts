import type { Limits } from '../../limits.ts';
import type { CompiledPattern } from '../../regex/compile-matcher.ts';
import type { Re2Pattern } from '../../regex/re2.ts';
import type { TimeZone } from '../../values/time-zone.ts';
import type { EvaluationError, NonValue, Value } from '../../values/value.ts';
import type { BoundedCache } from './bounded-cache.ts';

/**
 * The code of one overload. Arguments come in the representation that the overload's parameter types say (a double as a
 * number, a type parameter tagged), are never a {@link NonValue}, and the result is in that of the result type.
 * Never throws: what can go wrong is an `EvaluationError` with expression id 0.
 */
export type ImplementationFunction = (...args: never[]) => Value | NonValue;

/** The code of one overload, with what its callers have to know of it. */
export interface Implementation {
  readonly call: ImplementationFunction;
  /** Never gives a {@link NonValue} for arguments of the declared types, so that callers need not look. */
  readonly total: boolean;
  /** Takes the {@link RunContext} before its other arguments. */
  readonly needsContext?: boolean;
  /**
   * Runs in place of `call` when only the run tells the types and the elements of a list are not what the parameters say: takes
   * and gives tagged values, after the context if `call` takes that.
   */
  readonly mixed?: ImplementationFunction;
}

/** What an implementation may know of the run: bounds, and what would otherwise be global state. */
export interface RunContext {
  readonly limits: Limits;
  /**
   * Steps that are left of `maxSteps`. Below 0 once the evaluation has taken too many, and it stays so: whoever takes steps looks then. Set
   * anew for each evaluation.
   */
  left: number;
  /** Patterns computed at run time, compiled by RE2. */
  readonly patterns: BoundedCache<Re2Pattern | EvaluationError>;
  /** Patterns computed at run time, compiled without RE2. */
  readonly regexps: BoundedCache<CompiledPattern | EvaluationError>;
  /** By their name or offset. */
  readonly timeZones: BoundedCache<TimeZone | EvaluationError>;
}
