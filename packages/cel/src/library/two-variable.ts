import type { CallExpr, Expr } from '../ast/ast.ts';
import { mapOf, paramType } from '../ast/types.ts';
import { insertEntries, insertEntry } from '../runtime/collections.ts';
import { type Implementation, inContext } from '../runtime/context.ts';
import {
  all,
  exists,
  existsOne,
  filtered,
  type LoopParts,
  type Macro,
  type MacroFactory,
  variableArgument,
} from '../syntax/macros.ts';
import { declare, type Library, overload } from './library.ts';

/** Implements what the macros of two-variable comprehensions expand to, by overload id. */
const TWO_VARIABLE_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  '@mapInsert_map_key_value': inContext(insertEntry),
  '@mapInsert_map_map': inContext(insertEntries),
};

type Build = (make: MacroFactory, parts: LoopParts, args: readonly Expr[]) => Expr;

/** Returns a macro of the form `range.name(index or key, value, …)`. */
function loopMacro(name: string, argCount: number, doc: string, build: Build): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr => {
    const first = variableArgument(make, call, 0);
    if (typeof first !== 'string') return first;
    const second = variableArgument(make, call, 1);
    if (typeof second !== 'string') return second;
    if (first === second) {
      return make.error(
        'syntax/invalid-macro-argument',
        `expected two different names, found \`${first}\` twice`,
        (call.args[1] as Expr).range,
      );
    }
    return build(make, { iterVar: first, iterVar2: second, iterRange: call.target as Expr }, call.args.slice(2));
  };
  return { name, member: true, argCount, doc, expand };
}

/** Returns such macros with and without a filter before the last argument. */
function transformMacros(
  name: string,
  doc: string,
  build: (make: MacroFactory, parts: LoopParts, filter: Expr | undefined, body: Expr) => Expr,
): Macro[] {
  return [
    loopMacro(name, 3, doc, (make, parts, [body]) => build(make, parts, undefined, body as Expr)),
    loopMacro(name, 4, `${doc} Only entries that the first expression holds for.`, (make, parts, [filter, body]) =>
      build(make, parts, filter, body as Expr),
    ),
  ];
}

const EXISTS_ONE_DOC = 'Returns true if the predicate holds for exactly one entry.';

/** Comprehensions over index and element of a list, or key and value of a map. */
const TWO_VARIABLE_MACROS: readonly Macro[] = [
  loopMacro('all', 3, 'Returns true if the predicate holds for every entry.', (make, parts, [body]) =>
    all(make, parts, body as Expr),
  ),
  loopMacro('exists', 3, 'Returns true if the predicate holds for at least one entry.', (make, parts, [body]) =>
    exists(make, parts, body as Expr),
  ),
  loopMacro('exists_one', 3, EXISTS_ONE_DOC, (make, parts, [body]) => existsOne(make, parts, body as Expr)),
  loopMacro('existsOne', 3, EXISTS_ONE_DOC, (make, parts, [body]) => existsOne(make, parts, body as Expr)),
  ...transformMacros(
    'transformList',
    "Returns the list of the expression's values for each entry.",
    (make, parts, filter, body) => {
      const step = make.call('_+_', [make.accumulator(), make.list([body])]);
      return filtered(make, { ...parts, accuInit: make.list([]) }, filter, step);
    },
  ),
  ...transformMacros(
    'transformMap',
    "Returns a map with the same keys and the expression's value for each entry.",
    (make, parts, filter, body) => {
      const step = make.call('cel.@mapInsert', [make.accumulator(), make.ident(parts.iterVar), body]);
      return filtered(make, { ...parts, accuInit: make.map([]) }, filter, step);
    },
  ),
  ...transformMacros(
    'transformMapEntry',
    'Returns the union of the maps that the expression returns for each entry, each with one entry.',
    (make, parts, filter, body) => {
      const step = make.call('cel.@mapInsert', [make.accumulator(), body]);
      return filtered(make, { ...parts, accuInit: make.map([]) }, filter, step);
    },
  ),
];

const KEY = paramType('K');
const VALUE = paramType('V');
const MAP = mapOf(KEY, VALUE);

/**
 * Comprehensions over indices and elements, or keys and values: `all`, `exists`, `existsOne`, `transformList`, `transformMap`,
 * `transformMapEntry`.
 */
export const TWO_VARIABLE_LIBRARY: Library = {
  name: 'two-variable-comprehensions',
  functions: [
    declare(
      'cel.@mapInsert',
      'Returns the map with more entries; a duplicate key is an error. `transformMap` expands to it.',
      overload('@mapInsert_map_key_value', [MAP, KEY, VALUE], MAP),
      overload('@mapInsert_map_map', [MAP, MAP], MAP),
    ),
  ],
  macros: TWO_VARIABLE_MACROS,
  constants: [],
  implementations: TWO_VARIABLE_IMPLEMENTATIONS,
};
