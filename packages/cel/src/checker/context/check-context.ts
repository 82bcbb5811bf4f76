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
interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly reference: Reference;
  readonly outer: Scope | undefined;
}

/** The parts of an environment that checking needs. */
export interface CheckEnvironment {
  readonly container: string;
  readonly limits: Limits;
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly objects: ReadonlyMap<string, ObjectDecl>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly index: DeclarationIndex;
  /** By overload id. */
  readonly constantChecks: ReadonlyMap<string, ConstantCheck>;
}

/** The state of checking one expression. */
export interface CheckContext {
  readonly env: CheckEnvironment;
  readonly source: string;
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  readonly bindings: Bindings;
  readonly diagnostics: Diagnostic[];
  /** Declared types with type parameters, instantiated once per check, by variable name. */
  openVariables: Map<string, Type> | undefined;
  /** Infers the type of a node. A member, so that the files for the node kinds need not import each other. */
  readonly infer: (c: CheckContext, expr: Expr) => Type;
  /** Like `infer`, for a node from which a field may be selected: a value of a dual type stays an object. */
  readonly inferWhole: (c: CheckContext, expr: Expr) => Type;
  /** Nodes of dual types that are read as strings. */
  stringIds: Set<number> | undefined;
  scope: Scope | undefined;
}

/** Returns the type with the variables that are bound so far replaced. */
export function resolved(c: CheckContext, type: Type): Type {
  return c.bindings.types.length === 0 ? type : resolve(c.bindings, type);
}

/** Declares a local name. The caller restores the previous `c.scope`. */
export function declareLocal(c: CheckContext, name: string, type: Type, owner: number): void {
  c.scope = { name, type, reference: { kind: 'local', name, scope: owner }, outer: c.scope };
}

export function findLocal(c: CheckContext, name: string): Scope | undefined {
  for (let scope = c.scope; scope !== undefined; scope = scope.outer) {
    if (scope.name === name) return scope;
  }
  return undefined;
}
