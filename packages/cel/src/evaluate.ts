import { type Diagnostic, once } from '@tollgate/diagnostics';
import { DYN } from './ast/types.ts';
import { check } from './checker/check.ts';
import { type Activation, createEnvironment, type Environment, extendEnvironment } from './checker/environment.ts';
import { compileClosures } from './closures/compile-closures.ts';
import { EXTENSION_LIBRARIES } from './extension-libraries.ts';
import { toHost } from './runtime/host-access.ts';
import { parse } from './syntax/parse.ts';
import { CelDouble, NonValue } from './values/value.ts';

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

/** An expression that does not parse or check. `diagnostics` holds every error, in source order; the message is that of the first. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const [first] = diagnostics;
    super(first === undefined ? 'invalid expression' : `${first.message} (at offset ${first.range.start})`);
    this.source = source;
    this.diagnostics = diagnostics;
  }
}

/**
 * Returns a copy of host data in which every number is a CEL double, including whole numbers, which otherwise are ints. Bigints stay ints.
 * Arrays, Maps and plain objects are copied recursively, cycles included; other objects are kept.
 */
export function numbersAsDoubles(data: Activation): Activation {
  return copy(data, new Map()) as Activation;
}

function copy(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value === 'number') return new CelDouble(value);
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const element of value) list.push(copy(element, copies));
    return list;
  }
  if (value.constructor === Map) {
    const map = new Map<unknown, unknown>();
    copies.set(value, map);
    for (const [key, held] of value as Map<unknown, unknown>) map.set(key, copy(held, copies));
    return map;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const object: Record<string, unknown> = Object.create(prototype);
  copies.set(value, object);
  for (const [key, held] of Object.entries(value)) {
    Object.defineProperty(object, key, { value: copy(held, copies), enumerable: true, writable: true });
  }
  return object;
}
