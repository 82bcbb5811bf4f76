import type { FoldedAst } from '../lowering/fold-constants.ts';
import type { CidrRange } from '../values/value.ts';

/** An expression that tests of several rules look at. */
export interface Term {
  /** Equal for equal expressions. */
  readonly key: string;
  /** The expression by itself; of a scalar type. */
  readonly typed: FoldedAst;
}

/** A value that tests for equality compare with. */
export type Scalar = string | number | bigint | boolean;

/**
 * A part of a rule's condition without which it does not hold: when the value of the term is known and does not pass, the whole
 * condition is false, whatever else in it fails or is unknown.
 */
export type IndexablePredicate =
  | { readonly kind: 'one-of'; readonly term: Term; readonly values: readonly Scalar[] }
  | { readonly kind: 'prefix' | 'suffix' | 'substring'; readonly term: Term; readonly text: string }
  /** The term is the text of an IP address. */
  | { readonly kind: 'range'; readonly term: Term; readonly range: CidrRange }
  | { readonly kind: 'threshold'; readonly term: Term; readonly operator: ThresholdOperator; readonly bound: number };

/** With the term on its left. */
export type ThresholdOperator = '<' | '<=' | '>' | '>=';
