import type { ConfigField, Interpolation } from '@tollgate/catalog';
import type { Finding, Reporter } from '../document/model/reporter.ts';
import type { ExpressionContext } from '../expression/check-expression.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { EmbeddedExpression } from '../model/policy.ts';

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
  /** Vendor numbers of the field, by code. */
  readonly refusals: ConfigField['refusals'];
  readonly cache: ExpressionCache | undefined;
  /** Where expressions are collected. */
  readonly embedded: EmbeddedExpression[];
}

/** What differs from value to value. */
export type ValueTraits = Pick<ValueContext, 'what' | 'interpolation' | 'isBody' | 'refusals'>;

/** The context of a value inside of another. Hot, so written out: copying what is not known beforehand takes several times as long. */
export function contextOf(outer: ValueContext, { what, interpolation, isBody, refusals }: ValueTraits): ValueContext {
  const { expressions, reporter, document, cache, embedded } = outer;
  return { what, expressions, interpolation, reporter, document, isBody, refusals, cache, embedded };
}

/** The same under another name. */
export function named(outer: ValueContext, what: string): ValueContext {
  return contextOf(outer, { ...traitsOf(outer), what });
}

function traitsOf({ what, interpolation, isBody, refusals }: ValueContext): ValueTraits {
  return { what, interpolation, isBody, refusals };
}

/** Reports something about a value, with the vendor number that its field has for it. */
export function reportValue({ reporter, refusals }: ValueContext, finding: Finding): void {
  const refusal = refusals?.[finding.code];
  reporter.report(refusal === undefined ? finding : { ...finding, args: { ...finding.args, refusal } });
}
