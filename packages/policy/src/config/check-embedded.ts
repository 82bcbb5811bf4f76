import type { ConfigType, Interpolation } from '@tollgate/catalog';
import { extendEnvironment } from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import type { ScalarNode } from '../document/model/document-node.ts';
import { documentRange, type MappedText } from '../document/model/mapped-text.ts';
import { checkCondition, type ExpressionContext } from '../expression/check-expression.ts';
import { checkAnyCached } from '../expression/expression-cache.ts';
import { expressionSource, findInterpolations } from '../expression/interpolation.ts';
import { reportExpression } from '../expression/report-expression.ts';
import { parseType } from '../expression/type-notation.ts';
import { reportValue, type ValueContext } from './value-context.ts';

/** Checks a string that is an expression as a whole, without `${}`. */
export function checkBareExpression(
  { value, text }: ScalarNode,
  { result, variables }: Extract<ConfigType, { kind: 'expression' }>,
  { what, expressions, reporter, document, embedded, cache }: ValueContext,
): void {
  if (typeof value !== 'string' || !text) return;
  const context = variables ? withVariables(expressions, variables) : expressions;
  const { typed, diagnostics } =
    result === 'bool'
      ? checkCondition(value, context, { what })
      : checkAnyCached(value, context, variables ? undefined : cache);
  embedded.push({ kind: 'whole', source: value, text, offset: 0, typed });
  for (const diagnostic of diagnostics) reportExpression(diagnostic, text, { document, reporter });
}

function withVariables(
  context: ExpressionContext,
  variables: NonNullable<Extract<ConfigType, { kind: 'expression' }>['variables']>,
): ExpressionContext {
  const declared = variables.map(({ name, type, doc }) => ({ name, type: parseType(type), doc }));
  return { ...context, environment: extendEnvironment(context.environment, { variables: declared }) };
}

/** Checks the expressions in a string if its field allows them. Returns true if there are any, so that the resulting string is not known. */
export function checkInterpolations(node: ScalarNode, context: ValueContext): boolean {
  const { value, text } = node;
  if (typeof value !== 'string' || !text || !hasExpressions(context.interpolation)) return false;
  const { interpolationEscape } = context.expressions.profile.switches;
  const { expressions, unclosed } = findInterpolations(value, interpolationEscape);
  if (unclosed) {
    const range = documentRange(text, unclosed);
    const message = 'unterminated expression; add `}`';
    reportValue(context, { code: 'expression/unclosed-interpolation', message, range, args: {} });
  }
  for (const { start, end } of expressions) {
    const source = expressionSource(value.slice(start, end));
    const { typed, diagnostics } = checkAnyCached(source, context.expressions, context.cache);
    context.embedded.push({ kind: 'interpolation', source, text, offset: start, typed });
    for (const diagnostic of diagnostics) reportShifted(diagnostic, start, text, context);
  }
  return expressions.length > 0 || unclosed !== undefined;
}

function hasExpressions(interpolation: Interpolation | undefined): boolean {
  return interpolation?.endsWith('expressions') ?? false;
}

const INVALID_INTERPOLATION = 2224;

/** The diagnostic's ranges are relative to the expression, which starts `by` units into the string. */
function reportShifted(diagnostic: Diagnostic, by: number, text: MappedText, context: ValueContext): void {
  const shift = <T extends { readonly range: Diagnostic['range'] }>(part: T): T => ({
    ...part,
    range: { start: part.range.start + by, end: part.range.end + by },
  });
  const { related, fixes } = diagnostic;
  const shifted = {
    ...shift(diagnostic),
    args: { ...diagnostic.args, refusal: INVALID_INTERPOLATION },
    ...(related && { related: related.map(shift) }),
    ...(fixes && { fixes: fixes.map(fix => ({ ...fix, edits: fix.edits.map(shift) })) }),
  };
  reportExpression(shifted, text, context);
}
