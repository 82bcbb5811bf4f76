import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import { type FoldedAst, foldConstants } from './fold-constants.ts';
import { type LoopCosts, loopCostsOf } from './loop-costs.ts';

/** A tree in the form that both evaluators compile. */
export interface LoweredAst extends FoldedAst {
  readonly loops: LoopCosts;
}

/** Returns the tree that both evaluators compile: function bodies inlined, and calls of constants folded. */
export function lower(typed: TypedAst, env: Environment): LoweredAst {
  const inlined = env.bodyCompiler?.inlineBodies(typed, env) ?? typed;
  const folded = env.constantFolding ? foldConstants(inlined, env) : { ...inlined, constants: NO_CONSTANTS };
  return { ...folded, loops: loopCostsOf(folded.ast.root) };
}

const NO_CONSTANTS: FoldedAst['constants'] = new Map();
