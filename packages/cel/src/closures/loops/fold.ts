import type { ComprehensionExpr } from '../../ast/ast.ts';
import { BOOL } from '../../types/type.ts';
import { NonValue } from '../../values/value.ts';
import type { Code, Compiler } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { prepareLoop, roundsOf, spend, takeRound } from './loop.ts';

/** `cel.bind` names a value. An error counts only where the name is read. */
export function compileBind(expr: ComprehensionExpr, compiler: Compiler): Code {
  const value = compiler.compile(expr.accuInit);
  const { slot } = compiler.bind(expr.id, expr.accuVar, { type: compiler.typeOf(expr.accuInit), raw: false });
  const result = compiler.compile(expr.result);
  const code: Code = (activation, locals) => {
    locals[slot] = value(activation, locals);
    return result(activation, locals);
  };
  return convertCode(code, { from: compiler.typeOf(expr.result), to: compiler.typeOf(expr), exprId: expr.id });
}

/** Runs any comprehension as the specification defines it. It ends at the first accumulator that is an error or unknown. */
export function compileFold(expr: ComprehensionExpr, compiler: Compiler): Code {
  const type = compiler.typeOf(expr.accuInit);
  const init = compiler.compile(expr.accuInit);
  const { slot } = compiler.bind(expr.id, expr.accuVar, { type, raw: false });
  const { loop, body } = prepareLoop(expr, compiler, () => compileBody(expr, compiler));
  const code: Code = (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const end = roundsOf(loop, first.length);
    locals[slot] = init(activation, locals);
    let i = 0;
    for (; i < end; i += 1) {
      if (loop.nested && !takeRound(loop)) return loop.outOfSteps;
      locals[loop.firstSlot] = first[i];
      locals[loop.secondSlot] = second[i];
      const condition = body.condition(activation, locals);
      if (condition === false) break;
      const outcome = condition === true ? body.step(activation, locals) : condition;
      if (outcome instanceof NonValue) return spend(loop, i + 1, outcome);
      locals[slot] = outcome;
    }
    if (i === end && end < first.length) return spend(loop, end, loop.outOfSteps);
    return spend(loop, i, body.result(activation, locals));
  };
  return convertCode(code, { from: compiler.typeOf(expr.result), to: compiler.typeOf(expr), exprId: expr.id });
}

interface Body {
  readonly condition: Code;
  readonly step: Code;
  readonly result: Code;
}

function compileBody(expr: ComprehensionExpr, compiler: Compiler): Body {
  const { loopCondition, loopStep } = expr;
  return {
    condition: convertCode(compiler.compile(loopCondition), {
      from: compiler.typeOf(loopCondition),
      to: BOOL,
      exprId: loopCondition.id,
    }),
    step: convertCode(compiler.compile(loopStep), {
      from: compiler.typeOf(loopStep),
      to: compiler.typeOf(expr.accuInit),
      exprId: loopStep.id,
    }),
    result: compiler.compile(expr.result),
  };
}
