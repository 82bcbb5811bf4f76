import { compileClosures, compileToJavaScript, type Environment, type Program, type TypedAst } from '@tollgate/cel';

/** A way to run a typed expression. All of them must give the same. */
export interface Evaluator {
  readonly name: string;
  readonly compile: (typed: TypedAst, env: Environment) => Program;
}

export const EVALUATORS: readonly Evaluator[] = [
  { name: 'closures', compile: compileClosures },
  { name: 'generated', compile: compileToJavaScript },
];
