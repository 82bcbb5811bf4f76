import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import type { Environment } from '../../environment/environment.ts';
import type { LoweredAst } from '../../lowering/lower.ts';
import type { Implementation } from '../../runtime/context/implementation.ts';
import { DYN, type Type } from '../../types/type.ts';
import type { CodeBuffer } from './code-buffer.ts';
import type { ModuleScope } from './module-scope.ts';
import type { Local, Path, Place } from './place.ts';

/** Gives the code that leaves with a NonValue; the argument is an expression that is evaluated once. */
export type Fail = (nonValue: string) => string;

/** Where a condition goes. Code that ends by leaving, or '' to fall through to what follows. */
export interface Exits {
  readonly whenTrue: string;
  readonly whenFalse: string;
  readonly fail: Fail;
}

/** Emits a decision for the exits that it is given. */
export type Decision = (exits: Exits) => void;

/** The state of generating one function; every part of the generator works on this. Code is appended by {@link emit}. */
export interface Generation {
  readonly scope: ModuleScope;
  readonly env: Environment;
  readonly implementationOf: (overloadId: string) => Implementation | undefined;
  /** What the runtime exports, by name. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /** The expression being generated; a fused function has many. */
  typed: LoweredAst;
  readonly code: CodeBuffer;
  names: number;
  /** Whether the function counts loop iterations. */
  counted: boolean;
  /** How many loops there are around what is being generated. */
  depth: number;
  /** Iteration variables and bound names, by {@link localKey}. */
  readonly locals: Map<string, Local>;
  /** Where paths lead, by the variable that they start from. */
  readonly places: Map<string, Place>;
  /** The same by {@link localKey}. */
  readonly localPlaces: Map<string, Place>;
  /** By node id of `typed`: the path that it is, null when it is none. */
  pathsOfNodes: (Path | null | undefined)[];
  /** Emits what is needed for the node's value and gives an expression for it: a name or a literal, never a NonValue. */
  readonly value: (g: Generation, node: Expr, fail: Fail) => string;
  /** Emits the decision about a truth value. A value that is none is an error at `parentId`. */
  readonly condition: (g: Generation, node: Expr, exits: Exits, parentId: number) => void;
}

/** Appends code. What is emitted while the argument is made comes before it. */
export function emit(g: Generation, code: string): void {
  g.code.append(code);
}

/** Turns to another expression of a fused function. Node ids, and with them the scopes of local names, are those of one tree. */
export function turnTo(g: Generation, typed: LoweredAst): void {
  g.typed = typed;
  g.pathsOfNodes = [];
  g.locals.clear();
  g.localPlaces.clear();
}

export function localKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

export function fresh(g: Generation, prefix: string): string {
  g.names += 1;
  return `${prefix}${g.names}`;
}

export function staticType(g: Generation, node: Expr): Type {
  return g.typed.types[node.id] ?? DYN;
}

/** The overloads that a call may mean; none when it has no meaning. */
export function overloadsOf(g: Generation, call: CallExpr): readonly Overload[] {
  const reference = g.typed.references[call.id];
  return reference?.kind === 'function' ? reference.overloads : [];
}

/** The operands of a call, the target first. That of a qualified name (`optional.of(x)`) is part of the name. */
export function operandsOf(g: Generation, call: CallExpr): readonly Expr[] {
  const isName = overloadsOf(g, call)[0]?.member === false;
  return call.target === undefined || isName ? call.args : [call.target, ...call.args];
}

/** Emits `if (test) …` for exits of which one may fall through. */
export function branch(g: Generation, test: string, exits: Exits): void {
  if (exits.whenFalse === '') {
    if (exits.whenTrue !== '') emit(g, `if(${test}){${exits.whenTrue}}\n`);
  } else if (exits.whenTrue === '') emit(g, `if(!(${test})){${exits.whenFalse}}\n`);
  else emit(g, `if(${test}){${exits.whenTrue}}else{${exits.whenFalse}}\n`);
}
