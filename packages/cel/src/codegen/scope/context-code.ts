import type { Expr } from '../../ast/ast.ts';
import { isSized } from '../../lowering/call-steps.ts';
import type { Type } from '../../types/type.ts';
import { emit, fresh, type Generation } from './generation.ts';
import { constant, runtimeName } from './module-scope.ts';
import { dataCode } from './source-text.ts';

/**
 * The variable that counts the steps that are left while generated code runs; a call that takes steps finds them in the context. With the
 * context alone, loops over scalars took up to a third longer.
 */
const STEPS = 'steps';

/** Takes steps: an expression for how many are left then. */
export function takeSteps(g: Generation, steps: string | number): string {
  g.counted = true;
  return `(${STEPS}-=${steps})`;
}

/** The name of the context of all functions of the module. */
export function contextConstant(g: Generation): string {
  return constant(g.scope, `${runtimeName(g.scope, 'createRunContext')}(${dataCode(g.env.limits)})`);
}

/** Emits a call that takes steps, as a variable that holds what it gives. */
export function steppingCall(g: Generation, code: string): string {
  const name = fresh(g, 'v');
  const context = contextConstant(g);
  g.counted = true;
  emit(g, `${context}.left=${STEPS};const ${name}=${code};${STEPS}=${context}.left;`);
  return name;
}

/** What must stand before the code of a function. */
export function declareSteps(g: Generation): string {
  return g.counted ? `let ${allSteps(g)}\n` : '';
}

/** Gives an evaluation all of its steps, if it takes any. */
export function allSteps(g: Generation): string {
  return g.counted ? `${STEPS}=${g.env.limits.maxSteps};` : '';
}

/** An operand of a function that looks at all of it. */
export interface LookedAt {
  readonly node: Expr;
  readonly js: string;
  readonly type: Type;
}

/** Emits the steps of looking at all of an operand, where a loop runs it again and again. A literal's are the loop's. */
export function lookAt(g: Generation, { node, js, type }: LookedAt): void {
  if (node.kind === 'literal' || !isSized(type) || !g.typed.loops.repeated.has(node.id)) return;
  const steps = type.kind === 'string' ? `${js}.length>>4` : `${runtimeName(g.scope, 'stepsOf')}(${js})`;
  emit(g, `${takeSteps(g, steps)};`);
}
