import {
  check,
  compileToJavaScript,
  type Environment,
  inlineBodies,
  type NonValue,
  parse,
  type Value,
} from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import type { BuildActivation } from './build-activation.ts';
import type { TrafficState } from './traffic-state.ts';

/** Compiles an expression of our own making, which is right if the catalog is. */
export function compileExpression(
  source: string,
  environment: Environment,
  build: BuildActivation,
): (state: TrafficState) => Value | NonValue {
  const { ast, diagnostics } = parse(source, environment);
  const checked = check(ast, environment);
  const [wrong] = [...diagnostics, ...checked.diagnostics];
  if (wrong !== undefined) throw new InternalError(`\`${source}\`: ${wrong.message}`);
  const program = compileToJavaScript(inlineBodies(checked.typed, environment), environment);
  return state => program.evaluate(build(state));
}
