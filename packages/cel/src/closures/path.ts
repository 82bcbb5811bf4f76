import type { Activation } from '../program.ts';
import {
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  IpAddress,
  TypeValue,
  Unknown,
} from '../runtime/value.ts';
import type { Expr } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { Code, Compiler } from './code.ts';
import { withFastPath } from './reading.ts';

type Step = string | number;

/**
 * Puts a fast path before code that reads a variable and constant steps into it, such as `req.Headers["Host"][0]`: plain
 * loads, then one test. Whatever that does not settle is left to `exact`, which alone knows what is wrong.
 */
export function withPath(expr: Expr, exact: Code, compiler: Compiler): Code {
  const type = compiler.typeOf(expr);
  const steps = FAST_KINDS.has(type.kind) ? stepsOf(expr, compiler) : undefined;
  if (steps === undefined) return exact;
  return type.kind === 'string' ? textPath(steps, exact) : withFastPath(plainPath(steps), type, exact);
}

/** Kinds of values that a test of the JavaScript type settles. */
const FAST_KINDS: ReadonlySet<Type['kind']> = new Set(['string', 'int', 'bool', 'double', 'list']);

/** The names and positions that lead from the activation to the value, or undefined when plain loads might mislead. */
function stepsOf(expr: Expr, compiler: Compiler): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at = expr;
  for (;;) {
    const reference = compiler.typed.references[at.id];
    if (reference?.kind === 'variable') {
      steps.push(reference.name);
      return isPlainKey(reference.name) ? steps.reverse() : undefined;
    }
    const step = stepOf(at, compiler);
    if (step === undefined) return undefined;
    steps.push(step.step);
    at = step.from;
  }
}

function stepOf(expr: Expr, compiler: Compiler): { readonly from: Expr; readonly step: Step } | undefined {
  if (expr.kind === 'select') return expr.testOnly ? undefined : keyStep(expr.operand, expr.field, compiler);
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [from, index] = expr.args as readonly [Expr, Expr];
  if (index.kind !== 'literal') return undefined;
  const { value } = index.literal;
  if (typeof value === 'string') return keyStep(from, value, compiler);
  return typeof value === 'number' && value >= 0 && compiler.typeOf(from).kind === 'list'
    ? { from, step: value }
    : undefined;
}

function keyStep(
  from: Expr,
  key: string,
  compiler: Compiler,
): { readonly from: Expr; readonly step: Step } | undefined {
  const { kind } = compiler.typeOf(from);
  return (kind === 'map' || kind === 'object') && isPlainKey(key) ? { from, step: key } : undefined;
}

/**
 * Whether a plain load of the key finds only an own property of a map or object, even where the host has put something
 * else in its place.
 */
function isPlainKey(key: string): boolean {
  return !/^[0-9]/.test(key) && !MISLEADING.some(holder => key in holder);
}

const MISLEADING: readonly object[] = [
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
  readonly [key: Step]: Loads | undefined;
}

/** Unrolled for the lengths that occur: one call, whatever the length. */
function plainPath(steps: readonly Step[]): (activation: Activation) => unknown {
  const [a, b, c, d] = steps as readonly [Step, Step, Step, Step];
  switch (steps.length) {
    case 1:
      return activation => (activation as Loads)[a];
    case 2:
      return activation => (activation as Loads)[a]?.[b];
    case 3:
      return activation => (activation as Loads)[a]?.[b]?.[c];
    case 4:
      return activation => (activation as Loads)[a]?.[b]?.[c]?.[d];
    default: {
      const rest = steps.slice(4);
      return activation => {
        let at = (activation as Loads)[a]?.[b]?.[c]?.[d];
        for (const step of rest) at = at?.[step];
        return at;
      };
    }
  }
}

function textPath(steps: readonly Step[], exact: Code): Code {
  const [a, b, c, d] = steps as readonly [Step, Step, Step, Step];
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
