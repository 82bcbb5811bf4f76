import type { Expr } from '../../ast/ast.ts';
import { isSized } from '../../lowering/call-steps.ts';
import type { Type } from '../../types/type.ts';
import { emit, fresh, type Generation } from './generation.ts';
import { constant, runtimeName } from './module-scope.ts';
import { dataCode } from './source-text.ts';

/**
 * The variable with the remaining steps while generated code runs; a call that spends steps uses the context. With the context alone, loops
 * over scalars took up to a third longer.
 */
const STEPS = 'steps';

/** Returns an expression that spends steps and evaluates to how many remain. */
export function takeSteps(g: Generation, steps: string | number): string {
  g.counted = true;
  return `(${STEPS}-=${steps})`;
}

/** Returns the name of the context that all functions of the module share. */
export function contextConstant(g: Generation): string {
  return constant(g.scope, `${runtimeName(g.scope, 'createRunContext')}(${dataCode(g.env.limits)})`);
}

/** Emits a call that spends steps, and returns the variable with its result. */
export function steppingCall(g: Generation, code: string): string {
  const name = fresh(g, 'v');
  const context = contextConstant(g);
  g.counted = true;
  emit(g, `${context}.left=${STEPS};const ${name}=${code};${STEPS}=${context}.left;`);
  return name;
}

/** Returns the code that must precede a function. */
export function declareSteps(g: Generation): string {
  return g.counted ? `let ${allSteps(g)}\n` : '';
}

/** Emits the code that gives an evaluation its full budget, if it spends steps. */
export function allSteps(g: Generation): string {
  return g.counted ? `${STEPS}=${g.env.limits.maxSteps};` : '';
}

/** An operand that its function reads completely. */
interface ChargedOperand {
  readonly node: Expr;
  readonly js: string;
  readonly type: Type;
}

/** Emits the charge for reading a whole operand inside a loop. Literals are charged by the loop itself. */
export function chargeOperand(g: Generation, { node, js, type }: ChargedOperand): void {
  if (node.kind === 'literal' || !isSized(type) || !g.typed.loops.repeated.has(node.id)) return;
  const steps = type.kind === 'string' ? `${js}.length>>4` : `${runtimeName(g.scope, 'stepsOf')}(${js})`;
  emit(g, `${takeSteps(g, steps)};`);
}
