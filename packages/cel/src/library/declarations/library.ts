import type { FunctionDecl, VariableDecl } from '../../ast/declaration.ts';
import type { Macro } from '../../syntax/macros/macro.ts';

/** The library as an earlier version of it was: without what later ones brought. */
export function libraryAt(library: Library, version: number): Library {
  const functions = library.functions.flatMap(declaration => {
    const overloads = declaration.overloads.filter(({ since = 0 }) => since <= version);
    return overloads.length === 0 ? [] : [{ ...declaration, overloads }];
  });
  return { ...library, functions };
}

/** A switchable part of the language: the standard library or an extension. Implementations are found by overload id. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDecl[];
  readonly macros: readonly Macro[];
  /** Constants such as type names (`int`, `net.IP`), declared as variables of a `type` type. */
  readonly constants: readonly VariableDecl[];
}
