import type { FunctionDecl, VariableDecl } from '../../ast/declaration.ts';
import type { PatternEngine } from '../../regex/compile-matcher.ts';
import type { Implementation } from '../../runtime/context/implementation.ts';
import type { Macro } from '../../syntax/macros/macro.ts';
import type { ConstantCheck } from './constant-check.ts';

/** Returns the library as it was in an earlier version, without overloads that later versions added. */
export function libraryAt(library: Library, version: number): Library {
  const functions = library.functions.flatMap(declaration => {
    const overloads = declaration.overloads.filter(({ since = 0 }) => since <= version);
    return overloads.length === 0 ? [] : [{ ...declaration, overloads }];
  });
  return { ...library, functions };
}

/** A part of the language that an environment can include: declarations and the code behind them. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDecl[];
  readonly macros: readonly Macro[];
  /** Constants such as type names (`int`, `net.IP`), declared as variables of a `type` type. */
  readonly constants: readonly VariableDecl[];
  /** Implementations by overload id. They replace those of earlier libraries. */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  /** How string literals in calls of its functions are verified, by overload id. */
  readonly constantChecks?: Readonly<Record<string, ConstantCheck>>;
  /** Compiles the constant patterns of `matches` that V8 cannot run in linear time. */
  readonly patternEngine?: PatternEngine;
}
