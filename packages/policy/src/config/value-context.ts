import type { ConfigField, Interpolation } from '@tollgate/catalog';
import type { Finding, Reporter } from '../document/model/reporter.ts';
import type { ExpressionContext } from '../expression/check-expression.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { EmbeddedExpression } from '../model/policy.ts';

/** The value being checked: its name in messages, what it may contain, and where to report. */
export interface ValueContext {
  readonly what: string;
  /** Context for expressions in the configuration. */
  readonly expressions: ExpressionContext;
  /** How expressions are embedded in the value's strings. */
  readonly interpolation: Interpolation | undefined;
  readonly reporter: Reporter;
  /** The source text. */
  readonly document: string;
  /** True if the string is the body of an HTTP message. */
  readonly isBody: boolean;
  /** The vendor's error numbers for the field, by code. */
  readonly refusals: ConfigField['refusals'];
  readonly cache: ExpressionCache | undefined;
  /** Collects the expressions. */
  readonly embedded: EmbeddedExpression[];
}

/** The properties that differ between values. */
type ValueTraits = Pick<ValueContext, 'what' | 'interpolation' | 'isBody' | 'refusals'>;

/** Returns the context of a nested value. Hot: spelled out, because spreading an object of unknown shape is several times slower. */
export function contextOf(outer: ValueContext, { what, interpolation, isBody, refusals }: ValueTraits): ValueContext {
  const { expressions, reporter, document, cache, embedded } = outer;
  return { what, expressions, interpolation, reporter, document, isBody, refusals, cache, embedded };
}

/** Returns the context with another name for the value. */
export function named(outer: ValueContext, what: string): ValueContext {
  return contextOf(outer, { ...traitsOf(outer), what });
}

function traitsOf({ what, interpolation, isBody, refusals }: ValueContext): ValueTraits {
  return { what, interpolation, isBody, refusals };
}

/** Reports a problem with a value, with the vendor's error number if its field has one. */
export function reportValue({ reporter, refusals }: ValueContext, finding: Finding): void {
  const refusal = refusals?.[finding.code];
  reporter.report(refusal === undefined ? finding : { ...finding, args: { ...finding.args, refusal } });
}
