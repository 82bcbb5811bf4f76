import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Activation } from '../../environment/program.ts';
import type { Type } from '../../types/type.ts';
import {
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  IpAddress,
  TypeValue,
  Unknown,
} from '../../values/value.ts';
import type { Code, Compiler } from '../code/code.ts';
import { withFastPath } from './reading.ts';

/** Property names that lead from the activation to a value, optionally followed by a list index. */
interface Path {
  readonly names: readonly string[];
  readonly position: number | undefined;
}

/**
 * Adds a fast path to code that reads a variable and constant steps into it, such as `req.Headers["Host"][0]`: plain loads followed by one
 * type test. If the test fails, `exact` runs; it alone determines errors.
 */
export function withPath(expr: Expr, exact: Code, compiler: Compiler): Code {
  const type = compiler.typeOf(expr);
  const path = FAST_KINDS.has(type.kind) ? pathOf(expr, compiler) : undefined;
  if (path === undefined) return exact;
  const { names, position } = path;
  if (!compiler.env.plainData) return position === undefined ? withFastPath(ownPath(names), type, exact) : exact;
  if (position !== undefined) return type.kind === 'string' ? stringAt(names, position, exact) : exact;
  if (type.kind === 'string') return stringPath(names, exact);
  return type.kind === 'int' ? intPath(names, exact) : withFastPath(plainPath(names), type, exact);
}

/** Types that a single test of the JavaScript type can confirm. */
const FAST_KINDS: ReadonlySet<Type['kind']> = new Set(['string', 'int', 'bool', 'double', 'list', 'map', 'object']);

/** Returns the path that an expression is; undefined if it is not a path or plain loads could be wrong. */
function pathOf(expr: Expr, compiler: Compiler): Path | undefined {
  const position = positionOf(expr, compiler);
  const names: string[] = [];
  let at = position === undefined ? expr : (expr as CallExpr).args[0]!;
  for (;;) {
    const reference = compiler.typed.references[at.id];
    if (reference?.kind === 'variable') {
      names.push(reference.name);
      return names.every(isPlainKey) ? { names: names.reverse(), position } : undefined;
    }
    const step = stepOf(at, compiler);
    if (step === undefined) return undefined;
    names.push(step.name);
    at = step.from;
  }
}

/** Returns the index of `list[0]`. */
function positionOf(expr: Expr, compiler: Compiler): number | undefined {
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [from, index] = expr.args as readonly [Expr, Expr];
  if (index.kind !== 'literal' || compiler.typeOf(from).kind !== 'list') return undefined;
  const { value } = index.literal;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function stepOf(expr: Expr, compiler: Compiler): { readonly from: Expr; readonly name: string } | undefined {
  if (expr.kind === 'select' && !expr.testOnly) {
    return holdsNames(expr.operand, compiler) ? { from: expr.operand, name: expr.field } : undefined;
  }
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [from, index] = expr.args as readonly [Expr, Expr];
  const name = index.kind === 'literal' ? index.literal.value : undefined;
  return typeof name === 'string' && holdsNames(from, compiler) ? { from, name } : undefined;
}

function holdsNames(expr: Expr, compiler: Compiler): boolean {
  const { kind } = compiler.typeOf(expr);
  return kind === 'map' || kind === 'object';
}

/**
 * Returns true if a plain load of the key can find only an own property of a map or object, even if the host passed a value of another
 * kind.
 */
function isPlainKey(key: string): boolean {
  return !/^[0-9]/.test(key) && !HOST_VALUES.some(holder => key in holder);
}

const HOST_VALUES: readonly object[] = [
  [],
  '',
  0,
  true,
  () => undefined,
  new CelMap(),
  new CelUint(0),
  new Date(0),
  new Duration(0, 0),
  new EvaluationError('', ''),
  new Unknown([]),
  new TypeValue(''),
  new CidrRange(new IpAddress(new Uint8Array()), 0),
  new Uint8Array(),
].map(Object);

interface Loads {
  readonly [name: string]: Loads | undefined;
}

/** Reads own properties only; undefined if one is absent. */
function ownPath(names: readonly string[]): (activation: Activation) => unknown {
  const [a, b] = names as readonly [string, string];
  if (names.length === 1) return activation => ownLoad(activation, a);
  if (names.length === 2) return activation => ownLoad(ownLoad(activation, a), b);
  return activation => {
    let at: unknown = activation;
    for (let i = 0; i < names.length; i += 1) at = ownLoad(at, names[i] as string);
    return at;
  };
}

function ownLoad(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? (from as Loads)[name] : undefined;
}

/** Unrolled for the usual lengths, so that a read is one call. */
function plainPath(names: readonly string[]): (activation: Activation) => unknown {
  const [a, b, c, d, e, f, g, h] = names as readonly [string, string, string, string, string, string, string, string];
  switch (names.length) {
    case 1:
      return activation => (activation as Loads)[a];
    case 2:
      return activation => (activation as Loads)[a]?.[b];
    case 3:
      return activation => (activation as Loads)[a]?.[b]?.[c];
    case 4:
      return activation => (activation as Loads)[a]?.[b]?.[c]?.[d];
    case 5:
      return activation => (activation as Loads)[a]?.[b]?.[c]?.[d]?.[e];
    case 6:
      return activation => (activation as Loads)[a]?.[b]?.[c]?.[d]?.[e]?.[f];
    case 7:
      return activation => (activation as Loads)[a]?.[b]?.[c]?.[d]?.[e]?.[f]?.[g];
    default: {
      const rest = names.slice(8);
      return activation => {
        let at = (activation as Loads)[a]?.[b]?.[c]?.[d]?.[e]?.[f]?.[g]?.[h];
        for (let i = 0; i < rest.length; i += 1) at = at?.[rest[i] as string];
        return at;
      };
    }
  }
}

function stringPath(steps: readonly string[], exact: Code): Code {
  const [a, b, c, d] = steps as readonly [string, string, string, string];
  switch (steps.length) {
    case 1:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a];
        return typeof value === 'string' ? value : exact(activation, locals);
      };
    case 2:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b];
        return typeof value === 'string' ? value : exact(activation, locals);
      };
    case 3:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b]?.[c];
        return typeof value === 'string' ? value : exact(activation, locals);
      };
    case 4:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b]?.[c]?.[d];
        return typeof value === 'string' ? value : exact(activation, locals);
      };
    default:
      return withFastPath(plainPath(steps), { kind: 'string' }, exact);
  }
}

function intPath(names: readonly string[], exact: Code): Code {
  const [a, b] = names as readonly [string, string];
  if (names.length !== 2) return withFastPath(plainPath(names), { kind: 'int' }, exact);
  return (activation, locals) => {
    const value: unknown = (activation as Loads)[a]?.[b];
    if (typeof value === 'number') {
      const small = value | 0;
      if (small === value) return small;
      if (Number.isSafeInteger(value)) return value;
    }
    return exact(activation, locals);
  };
}

/** Reads a string at an index of a list, such as a header's value. */
function stringAt(names: readonly string[], position: number, exact: Code): Code {
  const path = plainPath(names);
  if (names.length !== 3) {
    return (activation, locals) => {
      const list = path(activation);
      const value: unknown = Array.isArray(list) ? list[position] : undefined;
      return typeof value === 'string' ? value : exact(activation, locals);
    };
  }
  const [a, b, c] = names as readonly [string, string, string];
  return (activation, locals) => {
    const list: unknown = (activation as Loads)[a]?.[b]?.[c];
    const value: unknown = Array.isArray(list) ? list[position] : undefined;
    return typeof value === 'string' ? value : exact(activation, locals);
  };
}

/** Returns a key that is equal for expressions that read the same path; undefined if the expression is not a path. */
export function pathKey(expr: Expr, compiler: Compiler): string | undefined {
  const path = pathOf(expr, compiler);
  return path && [...path.names, path.position].join('\n');
}

/**
 * Compiles a comparison of a path with a constant string into one function; undefined if the expression is not a path of a usual length.
 */
export function pathEquals(
  expr: Expr,
  text: string,
  { exact, compiler }: { readonly exact: Code; readonly compiler: Compiler },
): Code | undefined {
  const path = pathOf(expr, compiler);
  if (path === undefined || path.position !== undefined || !compiler.env.plainData) return undefined;
  const [a, b, c] = path.names as readonly [string, string, string];
  switch (path.names.length) {
    case 2:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b];
        if (value === text) return true;
        return typeof value === 'string' ? false : exact(activation, locals);
      };
    case 3:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b]?.[c];
        if (value === text) return true;
        return typeof value === 'string' ? false : exact(activation, locals);
      };
    default:
      return undefined;
  }
}
