import type { Profile, ValueRole, VariableFact } from '@tollgate/catalog';
import type { Environment, Expr, Type, TypedAst } from '@tollgate/cel';
import { type foldConstants, inputPathOf } from '@tollgate/cel/tooling';
import type { Condition, Signal } from '../logic/formula.ts';
import type { Cell, Universe, Vocabulary } from '../theory/vocabulary.ts';
import type { IntSet } from '../values/int-set.ts';
import type { StringFunction } from '../values/preimages.ts';

/** An expression with function bodies inlined and constants computed. */
type FoldedExpression = ReturnType<typeof foldConstants>;

/** What expressions may read, and what is known about it. */
export interface ReadingContext {
  readonly vocabulary: Vocabulary;
  readonly profile: Profile;
  /** The variables of the phase by path. */
  readonly facts: ReadonlyMap<string, VariableFact>;
  /** Overloads whose results may differ between two calls. */
  readonly volatile: ReadonlySet<string>;
  /** Functions of strings by overload. */
  readonly mappings: ReadonlyMap<string, StringFunction>;
  /** What well-formed traffic has at a path, or in the elements of the list there. */
  readonly universeOf: (role: ValueRole | undefined, steps: readonly (string | number)[]) => Universe;
  /** True if headers whose names are in another case than the edge writes are known to be absent. */
  readonly knowsNames: boolean;
  /** How values are called that policies of another profile also read; their own names without it. */
  readonly names?: SharedNames;
  /** Returns a name for the last change of what is at a path; empty if nothing changed it. */
  readonly versionOf: (path: string) => string;
  /** Returns whether there is a header at a path after the last change of it, if that is certain. */
  readonly presenceOf?: (path: string) => boolean | undefined;
  /** True if an entry of a map that only rules fill, and that nothing has changed, is known to be absent. */
  readonly startsEmpty?: boolean;
  /** Returns what is known about a path that no exchange has, because it follows from other values. */
  readonly definitionOf?: (path: string) => Definition | undefined;
}

/** Names of values that policies of two profiles share. */
export interface SharedNames {
  readonly nameOf: (steps: Location['steps']) => Location['steps'];
  /** Returns the integer that the other profile has where this path is absent; undefined if it has none. */
  readonly absentAs: (path: string) => bigint | undefined;
}

/** What a path stands for: one value, the status of the upstream's response, or strings that a list contains where signals hold. */
export type Definition =
  | { readonly kind: 'value'; readonly value: boolean | string | bigint }
  | { readonly kind: 'upstream-status' }
  | { readonly kind: 'members'; readonly members: readonly { readonly text: string; readonly when: Signal }[] };

/** The context of an expression that is being read. */
export interface Reader extends ReadingContext {
  readonly environment: Environment;
  readonly typed: FoldedExpression;
  /** What local names stand for, by scope and name. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** How often enclosing loops repeat it. */
  readonly repeats: number;
  readonly translate: (reader: Reader, expr: Expr) => Condition;
  /** Reads an integer: returns the condition that it is in a set; undefined if it is not understood. */
  readonly integerValue: (reader: Reader, expr: Expr) => ((set: IntSet) => Condition) | undefined;
  /** Returns the value of an expression that reads no input; undefined for others. */
  readonly constantValue: (reader: Reader, expr: Expr) => unknown;
  /** Returns the location of the first element that a `filter` keeps; undefined for other loops. */
  readonly firstKept: (reader: Reader, loop: Extract<Expr, { kind: 'comprehension' }>) => Location | undefined;
}

/** What a local name stands for: an expression, any string of a list, or any object of a list. */
type Binding =
  | { readonly kind: 'expression'; readonly expr: Expr }
  | { readonly kind: 'element'; readonly cell: Cell }
  | { readonly kind: 'record'; readonly location: Location };

/** Where in an exchange a value is: an input, or an entry, a field or an element of one, by constant keys and indices. */
export interface Location {
  readonly steps: readonly (string | number)[];
  readonly role: ValueRole | undefined;
  readonly type: Type;
  /** Holds where reading it does not fail. */
  readonly requires: Signal;
  /** Turns a signal about cells here into one about the exchange; they may be cells of an element of a list. */
  readonly lift: (signal: Signal) => Signal;
  /** The list whose elements the cells here describe. */
  readonly list?: Cell;
}

/** Returns the reader inside of a scope in which a name is bound. */
export function withBinding(reader: Reader, scope: number, name: string, binding: Binding): Reader {
  return { ...reader, bindings: new Map([...reader.bindings, [`${scope}:${name}`, binding]]) };
}

/** Returns what a local name is bound to; undefined for other expressions. */
export function bindingOf({ typed, bindings }: Reader, expr: Expr): Binding | undefined {
  const reference = typed.references[expr.id];
  return reference?.kind === 'local' ? bindings.get(`${reference.scope}:${reference.name}`) : undefined;
}

/** Follows local names to the expression that they stand for. */
export function resolved(reader: Reader, expr: Expr): Expr {
  let current = expr;
  while (current.kind === 'ident') {
    const binding = bindingOf(reader, current);
    if (binding?.kind !== 'expression') return current;
    current = binding.expr;
  }
  return current;
}

/** Returns the kind of an expression's type. */
export function typeOf({ typed }: Reader, expr: Expr): Type['kind'] {
  return typed.types[expr.id]?.kind ?? 'dyn';
}

/** Returns the id of the overload of a call; undefined if there are several. */
export function overloadOf({ typed }: Reader, expr: Expr): string | undefined {
  const reference = typed.references[expr.id];
  return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0]!.id : undefined;
}

/** Returns true if two evaluations of a call may have different results. */
export function isVolatile({ typed, volatile }: Reader, expr: Expr): boolean {
  const reference = typed.references[expr.id];
  return reference?.kind === 'function' && reference.overloads.some(({ id }) => volatile.has(id));
}

/** Returns the operands of a call, starting with the target unless it is a namespace. */
export function operandsOf({ typed }: Reader, call: Extract<Expr, { kind: 'call' }>): readonly Expr[] {
  const { target, args } = call;
  return target === undefined || typed.types[target.id] === undefined ? args : [target, ...args];
}

/** Returns the path of an input: `req.Method`. */
export function pathOf(reader: Reader, expr: Expr): string | undefined {
  const own = resolved(reader, expr);
  const path = inputPathOf(reader.typed, own, {
    isField: ({ testOnly, operand }, { types }: TypedAst) => !testOnly && types[operand.id]?.kind !== 'map',
    resolve: name => {
      const binding = bindingOf(reader, name);
      return binding?.kind === 'expression' ? binding.expr : undefined;
    },
  });
  return path?.replace(/^\./, '');
}

/** Returns what is known about an input that follows from other values; undefined for other expressions. */
export function definitionOf(reader: Reader, expr: Expr): Definition | undefined {
  if (reader.definitionOf === undefined) return undefined;
  const path = pathOf(reader, expr);
  return path === undefined ? undefined : reader.definitionOf(path);
}

/** Returns the value of an input that follows from other values; undefined for other expressions. */
export function definedValue(reader: Reader, expr: Expr): boolean | string | bigint | undefined {
  const definition = definitionOf(reader, expr);
  return definition?.kind === 'value' ? definition.value : undefined;
}

/** Returns a constant string; undefined for anything else. */
export function stringConstant(reader: Reader, expr: Expr): string | undefined {
  const own = resolved(reader, expr);
  if (own.kind === 'literal') return own.literal.type === 'string' ? own.literal.value : undefined;
  if (own.kind !== 'call' || typeOf(reader, own) !== 'string') return undefined;
  const value = reader.constantValue(reader, own);
  return typeof value === 'string' ? value : undefined;
}

/** Returns a constant integer; undefined for anything else. */
export function integerConstant(reader: Reader, expr: Expr): bigint | undefined {
  const own = resolved(reader, expr);
  if (own.kind !== 'literal' || (own.literal.type !== 'int' && own.literal.type !== 'uint')) return undefined;
  return BigInt(own.literal.value);
}
