import {
  compileClosures,
  compileToJavaScript,
  type Environment,
  extendEnvironment,
  type Program,
  type TypedAst,
} from '@tollgate/cel';

/** A way to run a typed expression. All evaluators must agree. */
export interface Evaluator {
  readonly name: string;
  readonly compile: (typed: TypedAst, env: Environment) => Program;
}

/** Most tests consist of constants, which evaluators would not see after folding. */
function withoutFolding(compile: Evaluator['compile']): Evaluator['compile'] {
  return (typed, env) => compile(typed, extendEnvironment(env, { constantFolding: false }));
}

export const EVALUATORS: readonly Evaluator[] = [
  { name: 'closures', compile: withoutFolding(compileClosures) },
  { name: 'generated', compile: withoutFolding(compileToJavaScript) },
  { name: 'folded', compile: compileToJavaScript },
];
