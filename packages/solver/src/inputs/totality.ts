import { EvaluationError, type Expr } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import { isAlwaysPresent, withoutStringKey } from './presence.ts';
import { bindingOf, operandsOf, overloadOf, pathOf, type Reader, typeOf } from './reader-context.ts';

/** Overloads that never fail for operands of their types. */
const TOTAL: ReadonlySet<string> = new Set([
  ...['logical_and', 'logical_or', 'logical_not', 'conditional', 'equals', 'not_equals', 'in_list', 'in_map'],
  ...['contains_string', 'starts_with_string', 'ends_with_string', 'string_lower_ascii', 'string_upper_ascii'],
  ...['size_string', 'string_size', 'size_list', 'list_size', 'size_map', 'map_size', 'size_bytes', 'bytes_size'],
  ...['is_ip', 'is_cidr', 'string_trim'],
]);

const ORDERING: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

/** Returns true if evaluating an expression never fails. */
export function isTotal(reader: Reader, expr: Expr): boolean {
  const path = pathOf(reader, expr);
  if (path !== undefined) {
    const fact = reader.facts.get(withoutStringKey(path));
    return fact !== undefined && isAlwaysPresent(fact);
  }
  switch (expr.kind) {
    case 'literal':
      return true;
    case 'ident': {
      const binding = bindingOf(reader, expr);
      return binding?.kind === 'expression' && isTotal(reader, binding.expr);
    }
    case 'select':
      // Only for maps; tests of fields of objects are rare.
      return expr.testOnly && typeOf(reader, expr.operand) === 'map' && isTotal(reader, expr.operand);
    case 'list':
      return expr.optionalIndices.length === 0 && expr.elements.every(element => isTotal(reader, element));
    case 'call':
      return isTotalCall(reader, expr);
    default:
      return false;
  }
}

function isTotalCall(reader: Reader, call: Extract<Expr, { kind: 'call' }>): boolean {
  const overload = overloadOf(reader, call);
  if (overload === undefined) return false;
  const operands = operandsOf(reader, call);
  const isSafe = TOTAL.has(overload) || ORDERING.has(call.function) || isFixedPattern(overload, operands);
  // A value of type dyn may have the wrong type at run time.
  return isSafe && operands.every(operand => typeOf(reader, operand) !== 'dyn' && isTotal(reader, operand));
}

function isFixedPattern(overload: string, [, pattern]: readonly Expr[]): boolean {
  if (overload !== 'matches' && overload !== 'matches_string') return false;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return false;
  return !(compilePattern(pattern.literal.value) instanceof EvaluationError);
}
