import { compilePattern, EvaluationError, type Expr } from '@tollgate/cel';
import { boundTo, operandsOf, overloadOf, pathOf, type Reading, typeOfExpr } from './reader-context.ts';

/** Overloads that give a value for all operands of their types. */
const TOTAL: ReadonlySet<string> = new Set([
  ...['logical_and', 'logical_or', 'logical_not', 'conditional', 'equals', 'not_equals', 'in_list', 'in_map'],
  ...['contains_string', 'starts_with_string', 'ends_with_string', 'string_lower_ascii', 'string_upper_ascii'],
  ...['size_string', 'string_size', 'size_list', 'list_size', 'size_map', 'map_size', 'size_bytes', 'bytes_size'],
  ...['is_ip', 'is_cidr', 'string_trim'],
]);

const ORDERING: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

/** Whether evaluating the expression certainly gives a value, whatever the input. */
export function isTotal(reading: Reading, expr: Expr): boolean {
  const path = pathOf(reading, expr);
  if (path !== undefined) return reading.facts.isAlwaysThere(path);
  switch (expr.kind) {
    case 'literal':
      return true;
    case 'ident': {
      const bound = boundTo(reading, expr);
      return bound !== undefined && isTotal(reading, bound);
    }
    case 'select':
      // Of a map; whether an object has a field is asked rarely.
      return expr.testOnly && typeOfExpr(reading, expr.operand) === 'map' && isTotal(reading, expr.operand);
    case 'list':
      return expr.optionalIndices.length === 0 && expr.elements.every(element => isTotal(reading, element));
    case 'call':
      return isTotalCall(reading, expr);
    default:
      return false;
  }
}

function isTotalCall(reading: Reading, call: Extract<Expr, { kind: 'call' }>): boolean {
  const overload = overloadOf(reading, call);
  if (overload === undefined) return false;
  const operands = operandsOf(reading, call);
  const isSafe = TOTAL.has(overload) || ORDERING.has(call.function) || isFixedPattern(overload, operands);
  // What is of type dyn may turn out to be of the wrong type.
  return isSafe && operands.every(operand => typeOfExpr(reading, operand) !== 'dyn' && isTotal(reading, operand));
}

function isFixedPattern(overload: string, [, pattern]: readonly Expr[]): boolean {
  if (overload !== 'matches' && overload !== 'matches_string') return false;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return false;
  return !(compilePattern(pattern.literal.value) instanceof EvaluationError);
}
