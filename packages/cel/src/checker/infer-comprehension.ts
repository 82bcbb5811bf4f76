import type { ComprehensionExpr } from '../syntax/ast.ts';
import { BOOL, DYN, ERROR_TYPE, INT, type Type } from '../types/type.ts';
import { assign } from '../types/unification.ts';
import { type Checking, declareLocal, known } from './checking.ts';
import { report, reportMismatch, shown } from './report.ts';

/** Range and initial value see the names outside; condition and step the accumulator and the iteration variables; the result the accumulator. */
export function inferComprehension(c: Checking, expr: ComprehensionExpr): Type {
  const range = known(c, c.infer(c, expr.iterRange));
  const accu = c.infer(c, expr.accuInit);
  const outer = c.scope;
  declareLocal(c, expr.accuVar, accu, expr.id);
  const withAccu = c.scope;
  declareIterationVariables(c, expr, range);
  const condition = c.infer(c, expr.loopCondition);
  if (condition.kind !== 'bool' && !assign(c.bindings, condition, BOOL)) {
    reportMismatch(c, expr.loopCondition, 'bool', condition);
  }
  const step = c.infer(c, expr.loopStep);
  if (!assign(c.bindings, step, accu)) reportMismatch(c, expr.loopStep, shown(c, accu), step);
  c.scope = withAccu;
  const result = c.infer(c, expr.result);
  c.scope = outer;
  return known(c, result);
}

function declareIterationVariables(c: Checking, expr: ComprehensionExpr, range: Type): void {
  const [first, second] = iterationTypes(c, expr, range);
  declareLocal(c, expr.iterVar, expr.iterVar2 === undefined ? first : second[0], expr.id);
  if (expr.iterVar2 !== undefined) declareLocal(c, expr.iterVar2, second[1], expr.id);
}

/** What one variable ranges over, and what two do: elements, and index with element; keys, and key with value. */
function iterationTypes(c: Checking, expr: ComprehensionExpr, range: Type): [one: Type, two: [Type, Type]] {
  switch (range.kind) {
    case 'list':
      return [range.element, [INT, range.element]];
    case 'map':
      return [range.key, [range.key, range.value]];
    case 'param':
      assign(c.bindings, DYN, range);
      return [DYN, [DYN, DYN]];
    case 'dyn':
      return [DYN, [DYN, DYN]];
    case 'error':
      return [ERROR_TYPE, [ERROR_TYPE, ERROR_TYPE]];
    default: {
      const found = shown(c, range);
      report(c, {
        code: 'type/not-iterable',
        message: `expected a list or a map to go through, found ${found}`,
        range: expr.iterRange.range,
        args: { found },
      });
      return [ERROR_TYPE, [ERROR_TYPE, ERROR_TYPE]];
    }
  }
}
