import type { Diagnostic } from '@tollgate/diagnostics';
import type { Expr } from '../../ast/ast.ts';
import type { ObjectDecl, VariableDecl } from '../../ast/declaration.ts';
import type { Reference } from '../../ast/typed-ast.ts';
import type { ConstantCheck } from '../../library/declarations/constant-check.ts';
import type { DeclarationIndex } from '../../library/declarations/declaration-index.ts';
import type { Limits } from '../../limits.ts';
import type { Macro } from '../../syntax/macros/macro.ts';
import type { Type } from '../../types/type.ts';
import { type Bindings, resolve } from '../../types/unification.ts';

/** A local name: an iteration variable, an accumulator, or one that a macro binds. */
export interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly reference: Reference;
  readonly outer: Scope | undefined;
}

/** What of an environment checking needs. */
export interface CheckingEnvironment {
  readonly container: string;
  readonly limits: Limits;
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly objects: ReadonlyMap<string, ObjectDecl>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly index: DeclarationIndex;
  /** By overload id. */
  readonly constantChecks: ReadonlyMap<string, ConstantCheck>;
}

/** The state of one check. */
export interface Checking {
  readonly env: CheckingEnvironment;
  readonly source: string;
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  readonly bindings: Bindings;
  readonly diagnostics: Diagnostic[];
  /** Declared types with type parameters, once for the whole check, by variable name. */
  openVariables: Map<string, Type> | undefined;
  /** Gives a node its type. Here so that the files for the kinds of node need not import each other. */
  readonly infer: (c: Checking, expr: Expr) => Type;
  /** The same for a node that may be selected from: a value of a dual type stays an object. */
  readonly inferWhole: (c: Checking, expr: Expr) => Type;
  /** Nodes of dual types of which the text is meant. */
  textIds: Set<number> | undefined;
  scope: Scope | undefined;
}

/** The type as far as it is known by now. */
export function known(c: Checking, type: Type): Type {
  return c.bindings.types.length === 0 ? type : resolve(c.bindings, type);
}

/** Brings a local name into scope; the caller puts the former `c.scope` back. */
export function declareLocal(c: Checking, name: string, type: Type, owner: number): void {
  c.scope = { name, type, reference: { kind: 'local', name, scope: owner }, outer: c.scope };
}

export function findLocal(c: Checking, name: string): Scope | undefined {
  for (let scope = c.scope; scope !== undefined; scope = scope.outer) {
    if (scope.name === name) return scope;
  }
  return undefined;
}
