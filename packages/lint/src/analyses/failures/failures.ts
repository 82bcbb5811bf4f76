import type { CallExpr, Expr } from '@tollgate/cel';
import { literalString, variablePath } from '../../expressions/variable-path.ts';
import { type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';

/** Why an operation fails for some traffic: `… is 0 for some requests`. */
type FailureReason = string;

/** Returns why a call may fail although its types fit; undefined if it cannot, or if its operand is tested elsewhere. */
export function failureOf(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  switch (call.function) {
    case '_/_':
    case '_%_':
      return divisionFailure(call, at);
    case 'int':
    case 'uint':
    case 'double':
    case 'timestamp':
    case 'duration':
      return conversionFailure(call, at);
    case '_[_]':
      return partFailure(call, at);
    case 'substring':
    case 'charAt':
      return lengthFailure(call, at);
    default:
      return DECODERS.test(nameOf(call)) ? decodingFailure(call, at) : undefined;
  }
}

/** Returns the name with its namespace: `json.decode`. */
function nameOf({ target, function: name }: CallExpr): string {
  return target?.kind === 'ident' ? `${target.name}.${name}` : name;
}

function divisionFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [, divisor] = call.args;
  const kind = divisor && at.typed.types[divisor.id]?.kind;
  if (!divisor || divisor.kind === 'literal' || kind === 'double' || isTested(divisor, at)) return undefined;
  return `\`${sourceOf(at, divisor.range)}\` is 0 for some requests`;
}

function conversionFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [value] = call.args;
  // The edge produces the results of functions without arguments, and times.
  if (!value || value.kind === 'literal' || at.typed.types[value.id]?.kind !== 'string') return undefined;
  if (isTested(value, at) || variablePath(at.typed, value)?.startsWith('time.')) return undefined;
  return `\`${sourceOf(at, value.range)}\` is not a valid ${call.function} for some requests`;
}

/** Checks `x.split('/')[3]`. */
function partFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [list, index] = call.args;
  if (list?.kind !== 'call' || list.function !== 'split' || index?.kind !== 'literal') return undefined;
  if (index.literal.value === 0 || Number(index.literal.value) === 0 || isTested(list, at)) return undefined;
  return `\`${sourceOf(at, list.range)}\` has fewer parts for some requests`;
}

/** Checks `x.substring(7)`. */
function lengthFailure({ target, args }: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [start] = args;
  if (!target || target.kind === 'literal' || isTested(target, at)) return undefined;
  const isFromStart = args.length === 1 && start?.kind === 'literal' && Number(start.literal.value) === 0;
  return isFromStart ? undefined : `\`${sourceOf(at, target.range)}\` is shorter for some requests`;
}

const DECODERS = /^(?:base64\.decode|json\.decode|url\.unescape|decodeBase64|decodeJson|unescapeUrl)$/;

function decodingFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const value = call.target?.kind === 'ident' && call.args.length > 0 ? call.args[0] : (call.target ?? call.args[0]);
  if (!value || literalString(value) !== undefined || isTested(value, at)) return undefined;
  return `\`${sourceOf(at, value.range)}\` cannot be decoded for some requests`;
}

/** Returns true if the conditions of the rule mention the value elsewhere: then its failure was considered. */
function isTested(node: Expr, at: LintedExpression): boolean {
  const source = sourceOf(at, node.range);
  return mentions(source, at) > 1;
}

/** Counts how often the conditions of the rule contain a piece of source. */
export function mentions(source: string, { rule }: LintedExpression): number {
  return rule.expressions.reduce((sum, one) => sum + one.source.split(source).length - 1, 0);
}
