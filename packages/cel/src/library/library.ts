import type { Macro } from '../syntax/macro.ts';
import type { FunctionDecl, VariableDecl } from './declaration.ts';

/** A switchable part of the language: the standard library or an extension. Implementations are found by overload id. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDecl[];
  readonly macros: readonly Macro[];
  /** Constants such as type names (`int`, `net.IP`), declared as variables of a `type` type. */
  readonly constants: readonly VariableDecl[];
}
