import type { CallExpr, ComprehensionExpr, Expr } from '../ast/ast.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { add, atMost, type CostRange, either, exactly, multiply, NOTHING, UNKNOWN_SIZE } from './cost-range.ts';
import { operandNodesOf, resultSize } from './result-sizes.ts';
import type { Size } from './size.ts';

/**
 * Sizes of inputs: characters of a string, bytes, elements of a list, entries of a map. Keys are paths as in expressions, with `*` for an
 * element of a list or the value at any key: `req.Headers`, `req.Headers.*`, `req.Headers.*.*`.
 */
export type SizeHints = Readonly<Record<string, CostRange>>;

export interface SizeContext {
  readonly typed: TypedAst;
  readonly hints: SizeHints;
  /** Sizes of local names, by scope and name. */
  readonly locals: Map<string, Size>;
  /** Memo by node id; without it, nested loops would be analyzed repeatedly. */
  readonly found: Map<number, Size>;
}

const SOME: Size = { own: UNKNOWN_SIZE };
const SCALAR: Size = { own: exactly(1) };

/** Returns the size of a node's value; 1 for values without a size, such as numbers. */
export function sizeOf(sizing: SizeContext, expr: Expr): Size {
  const found = sizing.found.get(expr.id) ?? findSize(sizing, expr);
  sizing.found.set(expr.id, found);
  return found;
}

function findSize(sizing: SizeContext, expr: Expr): Size {
  const type = sizing.typed.types[expr.id];
  switch (type?.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'null':
    case 'timestamp':
    case 'duration':
    case 'type':
      return SCALAR;
    default:
      return sizeOfKind(sizing, expr);
  }
}

function sizeOfKind(sizing: SizeContext, expr: Expr): Size {
  const reference = sizing.typed.references[expr.id];
  if (reference?.kind === 'variable') return hinted(sizing, reference.name);
  if (reference?.kind === 'local') return sizing.locals.get(`${reference.scope}:${reference.name}`) ?? SOME;
  switch (expr.kind) {
    case 'literal':
      return sizeOfLiteral(expr.literal.value);
    case 'list':
      return {
        own: exactly(expr.elements.length),
        element: anyOf(sizing, expr.elements),
      };
    case 'map':
      return {
        own: exactly(expr.entries.length),
        element: anyOf(
          sizing,
          expr.entries.map(({ value }) => value),
        ),
      };
    case 'select':
      return partSize(sizing, sizeOf(sizing, expr.operand), expr.field);
    case 'call':
      return sizeOfCall(sizing, expr);
    case 'comprehension':
      return sizeOfComprehension(sizing, expr);
    default:
      return SOME;
  }
}

function anyOf(sizing: SizeContext, exprs: readonly Expr[]): Size {
  const [first, ...rest] = exprs.map(expr => sizeOf(sizing, expr));
  return first === undefined ? { own: NOTHING } : rest.reduce(eitherSize, first);
}

function sizeOfLiteral(value: unknown): Size {
  if (typeof value === 'string') return { own: exactly([...value].length) };
  return value instanceof Uint8Array ? { own: exactly(value.length) } : SCALAR;
}

function hinted(sizing: SizeContext, path: string): Size {
  return { own: sizing.hints[path] ?? UNKNOWN_SIZE, path };
}

function partSize(sizing: SizeContext, whole: Size, step: string): Size {
  if (whole.path === undefined) return whole.element ?? SOME;
  const named = `${whole.path}.${step}`;
  return hinted(sizing, named in sizing.hints ? named : isKnownField(sizing, named) ? named : `${whole.path}.*`);
}

/** A hint for something inside the field shows that it is a field rather than a key. */
function isKnownField(sizing: SizeContext, path: string): boolean {
  return (
    Object.keys(sizing.hints).some(hint => hint.startsWith(`${path}.`)) || !(`${parentOf(path)}.*` in sizing.hints)
  );
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

/** Returns the size of an element, or of the value at any key. */
function elementSize(sizing: SizeContext, whole: Size): Size {
  return partSize(sizing, whole, '*');
}

function sizeOfCall(sizing: SizeContext, call: CallExpr): Size {
  const [first, second, third] = call.args;
  switch (call.function) {
    case '_[_]':
    case '_[?_]':
    case '_?._':
      return first === undefined ? SOME : indexedSize(sizing, first, second);
    case '_+_': {
      if (first === undefined || second === undefined) return SOME;
      const [a, b] = [sizeOf(sizing, first), sizeOf(sizing, second)];
      return { own: add(a.own, b.own), element: eitherSize(elementSize(sizing, a), elementSize(sizing, b)) };
    }
    case '_?_:_':
      return second === undefined || third === undefined
        ? SOME
        : eitherSize(sizeOf(sizing, second), sizeOf(sizing, third));
    case 'dyn':
      return first === undefined ? SOME : sizeOf(sizing, first);
    default:
      return sizeOfMade(sizing, call);
  }
}

/** Returns the size of a library function's result. Results are never parts of an input. */
function sizeOfMade(sizing: SizeContext, call: CallExpr): Size {
  const reference = sizing.typed.references[call.id];
  const overload = reference?.kind === 'function' ? reference.overloads[0] : undefined;
  if (overload === undefined) return SOME;
  const nodes = operandNodesOf(call, overload.member);
  const sizes = nodes.map(node => {
    const size = sizeOf(sizing, node);
    return { own: size.own, element: size.element ?? (size.path === undefined ? SOME : elementSize(sizing, size)) };
  });
  return resultSize(overload.id, { sizes, nodes }) ?? SOME;
}

function indexedSize(sizing: SizeContext, container: Expr, index: Expr | undefined): Size {
  const key = index?.kind === 'literal' && index.literal.type === 'string' ? index.literal.value : '*';
  return partSize(sizing, sizeOf(sizing, container), key);
}

/** Returns the size of the list that `map` or `filter` builds: at most one element per element of the range. */
function sizeOfComprehension(sizing: SizeContext, expr: ComprehensionExpr): Size {
  declareLocals(sizing, expr);
  if (expr.result.kind !== 'ident' || expr.result.name !== expr.accuVar) return sizeOf(sizing, expr.result);
  const rounds = atMost(sizeOf(sizing, expr.iterRange).own);
  const added = addedElements(expr.loopStep);
  return added === undefined
    ? SOME
    : {
        own: multiply(rounds, exactly(added.length)),
        element: anyOf(sizing, added),
      };
}

/** Returns `[x]` from `accu + [x]`, which may be inside a condition. */
function addedElements(step: Expr): readonly Expr[] | undefined {
  if (step.kind !== 'call') return undefined;
  const [first, second] = step.args;
  if (step.function === '_?_:_' && second !== undefined) return addedElements(second);
  return step.function === '_+_' && first?.kind === 'ident' && second?.kind === 'list' ? second.elements : undefined;
}

/** Records the sizes of a loop's variables. */
export function declareLocals(sizing: SizeContext, expr: ComprehensionExpr): void {
  const range = sizeOf(sizing, expr.iterRange);
  const isMap = sizing.typed.types[expr.iterRange.id]?.kind === 'map';
  const element = elementSize(sizing, range);
  const set = (name: string, size: Size): unknown => sizing.locals.set(`${expr.id}:${name}`, size);
  set(expr.accuVar, isAlias(expr) ? sizeOf(sizing, expr.accuInit) : SOME);
  set(expr.iterVar, isMap ? SOME : expr.iterVar2 === undefined ? element : SCALAR);
  if (expr.iterVar2 !== undefined) set(expr.iterVar2, element);
}

/** `cel.bind` is a loop over an empty list. */
function isAlias({ iterRange }: ComprehensionExpr): boolean {
  return iterRange.kind === 'list' && iterRange.elements.length === 0;
}

function eitherSize(a: Size, b: Size): Size {
  const element = a.element && b.element && eitherSize(a.element, b.element);
  return element === undefined ? { own: either(a.own, b.own) } : { own: either(a.own, b.own), element };
}
