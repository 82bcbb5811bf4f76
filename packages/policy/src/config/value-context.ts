import type { Interpolation } from '@tollgate/catalog';
import type { ExpressionContext } from '../expression/check-expression.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { EmbeddedExpression } from '../model/policy.ts';
import type { Reporter } from '../reporter.ts';

/** What is being checked, as messages name it, what it may hold, and where to report. */
export interface ValueContext {
  readonly what: string;
  /** Of the place, for expressions in configurations. */
  readonly expressions: ExpressionContext;
  /** Of the texts that are checked. */
  readonly interpolation: Interpolation | undefined;
  readonly reporter: Reporter;
  /** The text that is read. */
  readonly document: string;
  /** The text is the body of a message. */
  readonly isBody: boolean;
  readonly cache: ExpressionCache | undefined;
  /** Where expressions are collected. */
  readonly embedded: EmbeddedExpression[];
}

/** What differs from value to value. */
export type ValueTraits = Pick<ValueContext, 'what' | 'interpolation' | 'isBody'>;

/** The context of a value inside of another. Hot, so written out: copying what is not known beforehand takes several times as long. */
export function contextOf(outer: ValueContext, { what, interpolation, isBody }: ValueTraits): ValueContext {
  const { expressions, reporter, document, cache, embedded } = outer;
  return { what, expressions, interpolation, reporter, document, isBody, cache, embedded };
}

/** The same under another name. */
export function named(outer: ValueContext, what: string): ValueContext {
  return contextOf(outer, { what, interpolation: outer.interpolation, isBody: outer.isBody });
}
