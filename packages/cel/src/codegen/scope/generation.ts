import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import type { Environment } from '../../environment/environment.ts';
import type { LoweredAst } from '../../lowering/lower.ts';
import type { Implementation } from '../../runtime/context/implementation.ts';
import { DYN, type Type } from '../../types/type.ts';
import type { CodeBuffer } from './code-buffer.ts';
import type { ModuleScope } from './module-scope.ts';
import type { Local, Path, PathTrieNode } from './path-trie.ts';

/** Returns code that leaves with an error or unknown; the argument is an expression that is evaluated once. */
export type Fail = (nonValue: string) => string;

/** The targets of a condition: code that leaves, or '' to continue with what follows. */
export interface Exits {
  readonly whenTrue: string;
  readonly whenFalse: string;
  readonly fail: Fail;
}

/** Emits a decision with the given exits. */
export type Decision = (exits: Exits) => void;

/** The state of generating one function. Code is appended with {@link emit}. */
export interface Generation {
  readonly scope: ModuleScope;
  readonly env: Environment;
  readonly implementationOf: (overloadId: string) => Implementation | undefined;
  /** The exports of the runtime, by name. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /** The expression being generated; a fused function has several. */
  typed: LoweredAst;
  readonly code: CodeBuffer;
  names: number;
  /** True if the function counts loop iterations. */
  counted: boolean;
  /** The number of loops around the current code. */
  depth: number;
  /** Iteration variables and bound names, by {@link localKey}. */
  readonly locals: Map<string, Local>;
  /** Locations that paths lead to, by the variable they start from. */
  readonly pathTrie: Map<string, PathTrieNode>;
  /** The same by {@link localKey}. */
  readonly localPathTrie: Map<string, PathTrieNode>;
  /** The path of each node, by id in `typed`; null if it is not one. */
  pathsOfNodes: (Path | null | undefined)[];
  /** Emits the code for a node and returns an expression for its value: a name or a literal, never an error or unknown. */
  readonly value: (g: Generation, node: Expr, fail: Fail) => string;
  /** Emits a decision about a bool. A value that is not a bool is an error at `parentId`. */
  readonly condition: (g: Generation, node: Expr, exits: Exits, parentId: number) => void;
}

/** Appends code. Code that is emitted while the argument is computed comes first. */
export function emit(g: Generation, code: string): void {
  g.code.append(code);
}

/** Switches to another expression of a fused function. Node ids, and so the scopes of local names, are unique only within one tree. */
export function turnTo(g: Generation, typed: LoweredAst): void {
  g.typed = typed;
  g.pathsOfNodes = [];
  g.locals.clear();
  g.localPathTrie.clear();
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

/** Returns the possible overloads of a call; none if it is unresolved. */
export function overloadsOf(g: Generation, call: CallExpr): readonly Overload[] {
  const reference = g.typed.references[call.id];
  return reference?.kind === 'function' ? reference.overloads : [];
}

/** Returns the operands of a call, the target first unless it is part of a qualified name such as `optional.of`. */
export function operandsOf(g: Generation, call: CallExpr): readonly Expr[] {
  const isName = overloadsOf(g, call)[0]?.member === false;
  return call.target === undefined || isName ? call.args : [call.target, ...call.args];
}

/** Emits `if (test) …`; one of the exits may continue with what follows. */
export function branch(g: Generation, test: string, exits: Exits): void {
  if (exits.whenFalse === '') {
    if (exits.whenTrue !== '') emit(g, `if(${test}){${exits.whenTrue}}\n`);
  } else if (exits.whenTrue === '') emit(g, `if(!(${test})){${exits.whenFalse}}\n`);
  else emit(g, `if(${test}){${exits.whenTrue}}else{${exits.whenFalse}}\n`);
}
