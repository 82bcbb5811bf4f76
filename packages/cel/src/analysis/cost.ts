// Bounds on the steps of an expression, from bounds on the sizes of what it reads and makes.

import { type CallExpr, type ComprehensionExpr, childrenOf, type Expr, isBinding, type TypedAst } from '../ast/ast.ts';

/**
 * Returns bounds on the cost of one evaluation, in the units of the reference implementation: one unit is about one step of the evaluator,
 * such as reading a variable, selecting a field, or an operator on numbers.
 *
 * - Reading a string costs a tenth of a unit per character, rounded up; a pattern multiplies that by a quarter of its length.
 * - A loop costs the number of iterations times the cost of one. Building a list costs 10, a map 30.
 * - Operands that `&&`, `||` and `?:` may skip count only towards the maximum.
 *
 * @param hints sizes of inputs; the maximum of whatever depends on an input without a hint is infinite
 */
export function costOf(typed: TypedAst, hints: SizeHints = {}): CostRange {
  return costOfNode({ typed, hints, locals: new Map(), found: new Map() }, typed.ast.root);
}

const STEP = exactly(1);
const LIST = exactly(10);
const MAP = exactly(30);
const PER_CHARACTER = exactly(0.1);
const PER_PATTERN_CHARACTER = exactly(0.25);

function costOfNode(sizing: SizeContext, expr: Expr): CostRange {
  switch (expr.kind) {
    case 'literal':
    case 'error':
      return NO_COST;
    case 'ident':
      return STEP;
    case 'select':
      return isNamed(sizing, expr) ? STEP : add(costOfNode(sizing, expr.operand), STEP);
    case 'list':
      return add(costOfChildren(sizing, expr), LIST);
    case 'map':
    case 'struct':
      return add(costOfChildren(sizing, expr), MAP);
    case 'comprehension':
      return costOfComprehension(sizing, expr);
    case 'call':
      return costOfCall(sizing, expr);
  }
}

/** Returns true for a qualified name, whose parts are not field selections. */
function isNamed({ typed }: SizeContext, expr: Expr): boolean {
  return typed.references[expr.id] !== undefined;
}

function costOfChildren(sizing: SizeContext, expr: Expr): CostRange {
  return childrenOf(expr).reduce((sum, child) => add(sum, costOfNode(sizing, child)), NO_COST);
}

/** Loops that `&&`, `||` or a condition may end early run at least one iteration unless the range is empty. */
function costOfComprehension(sizing: SizeContext, expr: ComprehensionExpr): CostRange {
  declareLocals(sizing, expr);
  const rounds = sizeOf(sizing, expr.iterRange).own;
  const endsEarly = expr.loopCondition.kind !== 'literal';
  const least = endsEarly ? Math.min(1, rounds.min) : rounds.min;
  const round = add(costOfNode(sizing, expr.loopCondition), costOfNode(sizing, expr.loopStep));
  const around = add(costOfNode(sizing, expr.accuInit), costOfNode(sizing, expr.result));
  const range = isEmptyList(expr.iterRange) ? NO_COST : costOfNode(sizing, expr.iterRange);
  return add(add(range, around), multiply({ min: least, max: rounds.max }, round));
}

/** `cel.bind` builds no list. */
function isEmptyList(expr: Expr): boolean {
  return expr.kind === 'list' && expr.elements.length === 0;
}

function costOfCall(sizing: SizeContext, call: CallExpr): CostRange {
  const { args } = call;
  switch (call.function) {
    case '_&&_':
    case '_||_': {
      const [first = NO_COST, ...rest] = args.map(arg => costOfNode(sizing, arg));
      // Either operand alone may decide, so the minimum is that of the cheaper one.
      return rest.reduce((sum, cost) => ({ min: Math.min(sum.min, cost.min), max: sum.max + cost.max }), first);
    }
    case '_?_:_': {
      const [condition = NO_COST, ...branches] = args.map(arg => costOfNode(sizing, arg));
      return add(condition, branches.reduce(either));
    }
    default:
      return add(costOfArguments(sizing, call), ownCost(sizing, call));
  }
}

function costOfArguments(sizing: SizeContext, call: CallExpr): CostRange {
  return operandsOf(sizing, call).reduce((sum, operand) => add(sum, costOfNode(sizing, operand)), NO_COST);
}

/** The target of a qualified name is not an operand. */
function operandsOf({ typed }: SizeContext, call: CallExpr): readonly Expr[] {
  return operandNodesOf(call, call.target !== undefined && typed.types[call.target.id] !== undefined);
}

/** Returns the cost of the function itself, without its arguments. */
function ownCost(sizing: SizeContext, call: CallExpr): CostRange {
  const sizes = operandsOf(sizing, call).map(arg => sizeOf(sizing, arg).own);
  const [first = STEP, second = STEP] = sizes;
  switch (call.function) {
    case 'matches':
      return multiply(
        characters({ min: first.min + 1, max: first.max + 1 }),
        ceil(multiply(second, PER_PATTERN_CHARACTER)),
      );
    case 'contains':
      return multiply(characters(first), characters(second));
    case 'startsWith':
    case 'endsWith':
      return characters(second);
    case '_+_':
      return hasText(sizing, call) ? characters(add(first, second)) : STEP;
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return compares(first, second);
    case 'sort':
    case 'distinct':
    case '@sortByAssociatedKeys':
      return atLeastOne(multiply(first, first));
    case '@in':
      return sizing.typed.types[call.args[1]?.id ?? 0]?.kind === 'map' ? STEP : atLeastOne(second);
    case 'size':
    case '_[_]':
    case '_[?_]':
    case '_?._':
      return STEP;
    default:
      return atLeastOne(characters(sizes.reduce(add, NO_COST)));
  }
}

function characters(size: CostRange): CostRange {
  return atLeastOne(ceil(multiply(size, PER_CHARACTER)));
}

function atLeastOne(cost: CostRange): CostRange {
  return { min: Math.max(1, cost.min), max: Math.max(1, cost.max) };
}

/** Comparing stops at the end of the shorter operand, or at the first difference. */
function compares(a: CostRange, b: CostRange): CostRange {
  return atLeastOne(ceil(atMost(multiply({ min: 0, max: Math.min(a.max, b.max) }, PER_CHARACTER))));
}

function hasText({ typed }: SizeContext, call: CallExpr): boolean {
  const kind = typed.types[call.id]?.kind;
  return kind === 'string' || kind === 'bytes' || kind === 'dyn';
}

// Bounds on the sizes of values, from the types and the functions that make them.

/**
 * Sizes of inputs: characters of a string, bytes, elements of a list, entries of a map. Keys are paths as in expressions, with `*` for an
 * element of a list or the value at any key: `req.Headers`, `req.Headers.*`, `req.Headers.*.*`.
 */
export type SizeHints = Readonly<Record<string, CostRange>>;

interface SizeContext {
  readonly typed: TypedAst;
  readonly hints: SizeHints;
  /** Sizes of local names, by scope and name. */
  readonly locals: Map<string, Size>;
  /** Memo by node id; without it, nested loops would be analyzed repeatedly. */
  readonly found: Map<number, Size>;
}
const SCALAR: Size = { own: exactly(1) };

/** Returns the size of a node's value; 1 for values without a size, such as numbers. */
function sizeOf(sizing: SizeContext, expr: Expr): Size {
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
  return first === undefined ? { own: NO_COST } : rest.reduce(eitherSize, first);
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
function declareLocals(sizing: SizeContext, expr: ComprehensionExpr): void {
  const range = sizeOf(sizing, expr.iterRange);
  const isMap = sizing.typed.types[expr.iterRange.id]?.kind === 'map';
  const element = elementSize(sizing, range);
  const set = (name: string, size: Size): unknown => sizing.locals.set(`${expr.id}:${name}`, size);
  set(expr.accuVar, isBinding(expr) ? sizeOf(sizing, expr.accuInit) : SOME);
  set(expr.iterVar, isMap ? SOME : expr.iterVar2 === undefined ? element : SCALAR);
  if (expr.iterVar2 !== undefined) set(expr.iterVar2, element);
}

function eitherSize(a: Size, b: Size): Size {
  const element = a.element && b.element && eitherSize(a.element, b.element);
  return element === undefined ? { own: either(a.own, b.own) } : { own: either(a.own, b.own), element };
}

/** Bounds on the size of a value and of its elements. */
interface Size {
  readonly own: CostRange;
  /** The path under which hints for parts of the value are found; undefined if it is not part of an input. */
  readonly path?: string;
  /** The size of each element of a list that an evaluation builds. */
  readonly element?: Size;
}

/** Bounds on a cost or a size. Both are at least 0; `max` may be infinite. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

const NO_COST: CostRange = { min: 0, max: 0 };
const UNKNOWN_SIZE: CostRange = { min: 0, max: Number.POSITIVE_INFINITY };

const SOME: Size = { own: UNKNOWN_SIZE };

function exactly(value: number): CostRange {
  return { min: value, max: value };
}

function add(a: CostRange, b: CostRange): CostRange {
  return { min: a.min + b.min, max: a.max + b.max };
}

function multiply(a: CostRange, b: CostRange): CostRange {
  return { min: times(a.min, b.min), max: times(a.max, b.max) };
}

/** Zero times infinity is zero. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Returns the bounds of a value that is one of the two. */
function either(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the bounds of a cost that may not be incurred. */
function atMost(a: CostRange): CostRange {
  return { min: 0, max: a.max };
}

function ceil(a: CostRange): CostRange {
  return { min: Math.ceil(a.min), max: Math.ceil(a.max) };
}

/** The sizes of a call's operands, the target first, and the operands themselves. */
interface Operands {
  readonly sizes: readonly Size[];
  readonly nodes: readonly Expr[];
}

/** Returns the size of the result of a library function, by overload id; undefined if it is not known. */
function resultSize(overloadId: string, operands: Operands): Size | undefined {
  return (RESULT_SIZES.get(overloadId) ?? RESULT_SIZES.get(overloadId.replace(/^list_.*_sort/, 'list_*_sort')))?.(
    operands,
  );
}

type ResultSize = (operands: Operands) => Size | undefined;

const ONE = exactly(1);
const UNBOUNDED: CostRange = { min: 0, max: Number.POSITIVE_INFINITY };

function own({ sizes }: Operands, operand: number): CostRange {
  return sizes[operand]?.own ?? UNBOUNDED;
}

function elementOf({ sizes }: Operands): Size {
  return sizes[0]?.element ?? { own: UNBOUNDED };
}

/** As large as the first operand. */
const same: ResultSize = ({ sizes }) => sizes[0];

/** At most as large as the first operand. */
const part: ResultSize = operands => ({ ...operands.sizes[0], own: atMost(own(operands, 0)) });

/** At most the given multiple of the first operand, plus a constant. */
function grown(times: number, more: number): ResultSize {
  return operands => ({ own: atMost(add(multiply(own(operands, 0), exactly(times)), exactly(more))) });
}

const range: ResultSize = ({ nodes: [size] }) => {
  const value = size?.kind === 'literal' ? Number(size.literal.value) : undefined;
  return value === undefined ? undefined : { own: exactly(Math.max(0, value)), element: { own: ONE } };
};

/** The separator is inserted before at most every character. */
const replace: ResultSize = operands => ({
  own: atMost(add(own(operands, 0), multiply(add(own(operands, 0), ONE), own(operands, 2)))),
});

const split: ResultSize = operands => ({
  own: atMost(add(own(operands, 0), ONE)),
  element: { own: atMost(own(operands, 0)) },
});

const join: ResultSize = operands => {
  const separator = operands.sizes.length > 1 ? own(operands, 1) : exactly(0);
  return { own: multiply(own(operands, 0), add(elementOf(operands).own, separator)) };
};

/** Removes one level of lists; other elements stay. */
const flatten: ResultSize = operands => {
  const element = elementOf(operands);
  return { own: atMost(multiply(own(operands, 0), element.own)), ...(element.element && { element: element.element }) };
};

const RESULT_SIZES: ReadonlyMap<string, ResultSize> = new Map<string, ResultSize>([
  ['lists_range', range],
  ['list_reverse', same],
  ['list_*_sort', same],
  ['list_*_sortByAssociatedKeys', same],
  ['list_distinct', part],
  ['list_slice', part],
  ['list_flatten', flatten],
  ['list_join', join],
  ['list_join_string', join],
  ['string_split_string', split],
  ['string_split_string_int', split],
  ['string_replace_string_string', replace],
  ['string_replace_string_string_int', replace],
  ['string_lower_ascii', same],
  ['string_upper_ascii', same],
  ['string_reverse', same],
  ['string_to_string', same],
  ['string_trim', part],
  ['string_substring_int', part],
  ['string_substring_int_int', part],
  ['string_char_at_int', () => ({ own: atMost(ONE) })],
  ['bytes_to_string', part],
  ['string_to_bytes', grown(4, 0)],
  ['strings_quote', grown(2, 2)],
  ['base64_encode_bytes', grown(2, 4)],
  ['base64_decode_string', part],
  ...['bool', 'int64', 'uint64', 'double', 'timestamp', 'duration'].map(
    kind => [`${kind}_to_string`, () => ({ own: { min: 1, max: 40 } })] as const,
  ),
]);

/** Returns the operands of a call, the target first unless it is part of the function's name. */
function operandNodesOf(call: CallExpr, isMember: boolean): readonly Expr[] {
  return call.target === undefined || !isMember ? call.args : [call.target, ...call.args];
}
