import { inlineBodies } from '../checker/inline-bodies.ts';
import type { TypedAst } from '../checker/typed-ast.ts';
import type { Environment } from '../environment.ts';
import { type FoldedAst, foldConstants } from './fold-constants.ts';

/** What both evaluators compile: functions with a body replaced by it, and calls of constants by their values. */
export function prepare(typed: TypedAst, env: Environment): FoldedAst {
  const inlined = inlineBodies(typed, env);
  return env.constantFolding ? foldConstants(inlined, env) : { ...inlined, constants: NO_CONSTANTS };
}

const NO_CONSTANTS: FoldedAst['constants'] = new Map();
