import type { FoldedAst } from '../lowering/fold-constants.ts';
import type { CidrRange } from '../values/value.ts';

/** An expression that several rules test. */
export interface Term {
  /** Equal for equal expressions. */
  readonly key: string;
  /** The expression on its own, of a scalar type. */
  readonly typed: FoldedAst;
}

/** A value that tests for equality compare with. */
export type Scalar = string | number | bigint | boolean;

/**
 * A necessary part of a rule's condition: if the value of the term is known and does not pass, the condition is false, whatever else in it
 * fails or is unknown.
 */
export type IndexablePredicate =
  | { readonly kind: 'one-of'; readonly term: Term; readonly values: readonly Scalar[] }
  | { readonly kind: 'prefix' | 'suffix' | 'substring'; readonly term: Term; readonly text: string }
  /** The term is an IP address as a string. */
  | { readonly kind: 'range'; readonly term: Term; readonly range: CidrRange }
  | { readonly kind: 'threshold'; readonly term: Term; readonly operator: ThresholdOperator; readonly bound: number };

/** The term is on the left. */
export type ThresholdOperator = '<' | '<=' | '>' | '>=';
