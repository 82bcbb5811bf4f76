import type { CallExpr, Expr } from '../../ast/ast.ts';
import { type Decision, type Exits, emit, fresh, type Generation } from '../scope/generation.ts';
import { runtimeName } from '../scope/module-scope.ts';
import { mergeEqualities, type Operand } from './membership-code.ts';

/** Emits a chain of `&&` or `||`. */
export function logicCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const conjunction = call.function === '_&&_';
  chainCondition(g, mergeEqualities(g, operandsOf(call), conjunction), conjunction, exits);
}

/**
 * Emits operands joined by `&&` or `||`. An error or unknown does not end the chain: it is kept in a variable and counts only if no other
 * operand decides.
 */
export function chainCondition(g: Generation, operands: readonly Decision[], conjunction: boolean, exits: Exits): void {
  const done = fresh(g, 'L');
  const decided = (conjunction ? exits.whenFalse : exits.whenTrue) || `break ${done};`;
  const pending = fresh(g, 'p');
  emit(g, `${done}:{let ${pending};\n`);
  operands.forEach((operand, index) => {
    const next = fresh(g, 'L');
    const keep = (nonValue: string) => (index === 0 ? nonValue : mergeCode(g, pending, nonValue));
    emit(g, `${next}:{`);
    operand({
      whenTrue: conjunction ? '' : decided,
      whenFalse: conjunction ? decided : '',
      fail: nonValue => `${pending}=${keep(nonValue)};break ${next};`,
    });
    emit(g, '}\n');
  });
  const undecided = conjunction ? exits.whenTrue : exits.whenFalse;
  emit(g, `if(${pending}!==undefined){${exits.fail(pending)}}${undecided}}\n`);
}

function mergeCode(g: Generation, pending: string, nonValue: string): string {
  return `${runtimeName(g.scope, 'combineUndecided')}(${pending},${nonValue})`;
}

/** A chain is a tree of calls; it is emitted as one list. */
function operandsOf(call: CallExpr): readonly Operand[] {
  const operands: Operand[] = [];
  const visit = (node: Expr, parent: CallExpr): void => {
    if (node.kind === 'call' && node.function === call.function) {
      for (const arg of node.args) visit(arg, node);
    } else operands.push({ node, parent });
  };
  visit(call, call);
  return operands;
}

/** Emits `c ? a : b` as a decision. */
export function conditionalCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const [test, then, otherwise] = call.args as readonly [Expr, Expr, Expr];
  const done = fresh(g, 'L');
  const other = fresh(g, 'L');
  const leaving: Exits = {
    whenTrue: exits.whenTrue || `break ${done};`,
    whenFalse: exits.whenFalse || `break ${done};`,
    fail: exits.fail,
  };
  emit(g, `${done}:{${other}:{`);
  g.condition(g, test, { whenTrue: '', whenFalse: `break ${other};`, fail: exits.fail }, call.id);
  g.condition(g, then, leaving, call.id);
  emit(g, '}\n');
  g.condition(g, otherwise, leaving, call.id);
  emit(g, '}\n');
}
