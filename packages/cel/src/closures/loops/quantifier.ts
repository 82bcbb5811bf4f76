import type { ComprehensionExpr, Expr } from '../../ast/ast.ts';
import { BOOL } from '../../types/type.ts';
import { combineUndecided } from '../../values/combine-undecided.ts';
import { NonValue } from '../../values/value.ts';
import type { Code, Compiler, Outcome } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { prepareLoop, roundsOf, spend, takeRound } from './loop.ts';
import { scanOf } from './scan.ts';

/** `all` and `exists` differ only in the value that decides: false or true. */
export function compileQuantifier(
  expr: ComprehensionExpr,
  { kind, predicate }: { readonly kind: 'all' | 'exists'; readonly predicate: Expr },
  compiler: Compiler,
): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => compilePredicate(predicate, expr, compiler));
  const decisive = kind === 'exists';
  const otherwise = !decisive;
  const scan = expr.iterVar2 === undefined ? scanOf(predicate, isVariableOf(expr, compiler), compiler) : undefined;
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const { firstSlot, secondSlot, nested } = loop;
    const end = roundsOf(loop, first.length);
    let pending: Outcome = otherwise;
    for (let i = 0; i < end; i += 1) {
      if (scan !== undefined) {
        i = scan(first, i, otherwise);
        if (i >= end) break;
      }
      if (nested && !takeRound(loop)) return loop.outOfSteps;
      locals[firstSlot] = first[i];
      locals[secondSlot] = second[i];
      const outcome = body(activation, locals);
      if (outcome === otherwise) continue;
      if (outcome === decisive) return spend(loop, i + 1, decisive);
      pending = pending === otherwise ? outcome : combineUndecided(pending, outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : pending);
  };
}

function isVariableOf(expr: ComprehensionExpr, compiler: Compiler): (candidate: Expr) => boolean {
  return candidate => {
    const reference = compiler.typed.references[candidate.id];
    return reference?.kind === 'local' && reference.scope === expr.id && reference.name === expr.iterVar;
  };
}

/** Compiles `exists_one`. The first element for which the predicate is an error or unknown ends the loop. */
export function compileOne(expr: ComprehensionExpr, predicate: Expr, compiler: Compiler): Code {
  const { loop, body } = prepareLoop(expr, compiler, () => compilePredicate(predicate, expr, compiler));
  return (activation, locals) => {
    const range = loop.range(activation, locals);
    if (range instanceof NonValue) return range;
    const elements = loop.elements(range);
    if (elements instanceof NonValue) return elements;
    const { first, second } = elements;
    const end = roundsOf(loop, first.length);
    let count = 0;
    for (let i = 0; i < end; i += 1) {
      if (loop.nested && !takeRound(loop)) return loop.outOfSteps;
      locals[loop.firstSlot] = first[i];
      locals[loop.secondSlot] = second[i];
      const outcome = body(activation, locals);
      if (outcome === true) count += 1;
      else if (outcome !== false) return spend(loop, i + 1, outcome);
    }
    return spend(loop, end, end < first.length ? loop.outOfSteps : count === 1);
  };
}

/** Compiles the predicate as an operand of the loop's logical operator: if it is not a bool, the error is located at the step. */
export function compilePredicate(predicate: Expr, expr: ComprehensionExpr, compiler: Compiler): Code {
  const from = compiler.typeOf(predicate);
  return convertCode(compiler.compile(predicate), { from, to: BOOL, exprId: expr.loopStep.id });
}
