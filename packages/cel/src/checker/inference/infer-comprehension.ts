import type { ComprehensionExpr } from '../../ast/ast.ts';
import { BOOL, DYN, type Type } from '../../types/type.ts';
import { assign } from '../../types/unification.ts';
import { type CheckContext, declareLocal, resolved } from '../context/check-context.ts';
import { displayType, report, reportMismatch } from '../report/report.ts';
import { declareIterationVariables } from './iteration.ts';

/**
 * The range and the initial value see the outer names; the condition and the step also the accumulator and the iteration variables; the
 * result also the accumulator.
 */
export function inferComprehension(c: CheckContext, expr: ComprehensionExpr): Type {
  const range = inferRange(c, expr);
  // `cel.bind(u, req.url, u.path)`: fields may be selected from the bound value.
  const accu = c.inferWhole(c, expr.accuInit);
  const outer = c.scope;
  declareLocal(c, expr.accuVar, accu, expr.id);
  const withAccu = c.scope;
  declareIterationVariables(c, expr, range);
  const condition = c.infer(c, expr.loopCondition);
  if (condition.kind !== 'bool' && !assign(c.bindings, condition, BOOL)) {
    reportMismatch(c, expr.loopCondition, 'bool', condition);
  }
  const step = accu.kind === 'object' ? c.inferWhole(c, expr.loopStep) : c.infer(c, expr.loopStep);
  if (!assign(c.bindings, step, accu)) reportMismatch(c, expr.loopStep, displayType(c, accu), step);
  c.scope = withAccu;
  const result = c.infer(c, expr.result);
  c.scope = outer;
  return resolved(c, result);
}

/** Returns the type of the range; the error type if it is neither a list nor a map. */
function inferRange(c: CheckContext, expr: ComprehensionExpr): Type {
  const range = resolved(c, c.infer(c, expr.iterRange));
  switch (range.kind) {
    case 'list':
    case 'map':
    case 'dyn':
    case 'error':
      return range;
    case 'param':
      assign(c.bindings, DYN, range);
      return DYN;
    default: {
      const found = displayType(c, range);
      return report(c, {
        code: 'type/not-iterable',
        message: `expected a list or map to iterate over, found ${found}`,
        range: expr.iterRange.range,
        args: { found },
      });
    }
  }
}
