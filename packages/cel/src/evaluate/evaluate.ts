import { check } from '../checker/check.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { createEnvironment, type Environment, extendEnvironment } from '../environment/environment.ts';
import { EXTENSION_LIBRARIES } from '../libraries/extension-libraries.ts';
import { toHost } from '../runtime/host/convert.ts';
import { parse } from '../syntax/parse.ts';
import { DYN } from '../types/type.ts';
import { NonValue } from '../values/value.ts';
import { ExpressionError } from './expression-error.ts';
import { numbersAsDoubles } from './numbers-as-doubles.ts';

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /** Declares further variables, functions and limits. By default, the standard library and all extension libraries. */
  readonly environment?: Environment;
  /** `double` reads every number in the data as a double, so that `x / 2` never truncates. By default, whole numbers are ints. */
  readonly numbers?: 'double';
}

/**
 * Parses, checks and runs an expression, and returns the result as a plain JavaScript value (see {@link toHost}). The keys of `data` are
 * the variables; those that the environment does not declare are `dyn`, and type names such as `list` stay types. A failed evaluation is returned as an `EvaluationError`; an
 * expression that does not parse or check throws an {@link ExpressionError}.
 *
 * Compiles each time. To run an expression often, use {@link createEnvironment} and {@link compileClosures}.
 */
export function evaluate(
  source: string,
  data: Readonly<Record<string, unknown>> = {},
  options: EvaluateOptions = {},
): unknown {
  const base = options.environment ?? DEFAULT_ENVIRONMENT();
  const undeclared = Object.keys(data).filter(name => !base.variables.has(name));
  const environment = extendEnvironment(base, { variables: undeclared.map(name => ({ name, type: DYN })) });
  const { ast, diagnostics } = parse(source, environment);
  const checked = check(ast, environment);
  const errors = [...diagnostics, ...checked.diagnostics].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new ExpressionError(source, errors);
  const values = options.numbers === 'double' ? numbersAsDoubles(data) : data;
  const outcome = compileClosures(checked.typed, environment).evaluate(values);
  return outcome instanceof NonValue ? outcome : toHost(outcome);
}

/** Created on first use; an environment is immutable. */
const DEFAULT_ENVIRONMENT = /* @__PURE__ */ once(() => createEnvironment({ libraries: EXTENSION_LIBRARIES }));

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
