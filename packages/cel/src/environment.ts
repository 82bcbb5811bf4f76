import type { FunctionDecl, ObjectDecl, VariableDecl } from './library/declaration.ts';
import type { Library } from './library/library.ts';
import type { Limits } from './limits.ts';
import type { Implementation } from './runtime/implementation.ts';
import type { Macro } from './syntax/macro.ts';

/** What an environment is made of; everything is optional. */
export interface EnvironmentOptions {
  /** The standard library is always there; these are added. All extension libraries when absent. */
  readonly libraries?: readonly Library[];
  /** Namespace in which names are looked up first, such as `a.b`. */
  readonly container?: string;
  readonly variables?: readonly VariableDecl[];
  readonly functions?: readonly FunctionDecl[];
  readonly objects?: readonly ObjectDecl[];
  /** By overload id, for `functions` that have no body. */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  readonly limits?: Partial<Limits>;
}

/** An immutable set of declarations, with limits, that expressions are parsed and checked against and compiled with. */
export interface Environment {
  readonly container: string;
  readonly limits: Limits;
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly objects: ReadonlyMap<string, ObjectDecl>;
  /** By `name:member:argCount`, argCount `*` for any. */
  readonly macros: ReadonlyMap<string, Macro>;
  readonly implementations: ReadonlyMap<string, Implementation>;
}
