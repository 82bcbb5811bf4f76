import { BOOL, DYN, formatType, INT, listOf, STRING, type Type } from '@tollgate/cel';
import fc from 'fast-check';
import type { Take } from '../data.ts';
import { chance, pick } from './literals.ts';

/** State of generating one expression. */
export interface GeneratorState {
  readonly take: Take;
  readonly scope: readonly { readonly name: string; readonly type: string }[];
  readonly depth: number;
  /** Whether maps have at most one entry, so that their iteration order is the same in every language. */
  readonly isOrdered: boolean;
}

type Make = (type: Type, within?: GeneratorState) => string;

/** A macro that generates an expression of a type. `*` is any type. */
interface MacroProduction {
  readonly result: string;
  readonly make: (state: GeneratorState, type: Type, make: Make) => string;
}

const ELEMENTS: readonly Type[] = [INT, STRING, { kind: 'double' }, { kind: 'uint' }];

function local(state: GeneratorState, type: Type): { readonly name: string; readonly inner: GeneratorState } {
  const name = `v${state.scope.length}`;
  return { name, inner: { ...state, scope: [...state.scope, { name, type: formatType(type) }] } };
}

function overList(macro: string, body: Type): MacroProduction['make'] {
  return (state, _type, make) => {
    const element = pick(state.take, ELEMENTS);
    const { name, inner } = local(state, element);
    return `${make(listOf(element))}.${macro}(${name}, ${make(body, inner)})`;
  };
}

function overPairs(macro: string, body: Type): MacroProduction['make'] {
  return (state, _type, make) => {
    const element = pick(state.take, ELEMENTS);
    const position = local(state, INT);
    const value = local(position.inner, element);
    return `${make(listOf(element))}.${macro}(${position.name}, ${value.name}, ${make(body, value.inner)})`;
  };
}

const mapList: MacroProduction['make'] = (state, type, make) => {
  const element = pick(state.take, ELEMENTS);
  const { name, inner } = local(state, element);
  const filter = chance(state.take, 3) ? `${make(BOOL, inner)}, ` : '';
  const result = type.kind === 'list' ? type.element : DYN;
  return `${make(listOf(element))}.map(${name}, ${filter}${make(result, inner)})`;
};

const sortBy: MacroProduction['make'] = (state, type, make) => {
  const element = type.kind === 'list' ? type.element : INT;
  const { name, inner } = local(state, element);
  const key = pick(state.take, [INT, STRING, { kind: 'double' }, BOOL, DYN] as const);
  return `${make(listOf(element))}.sortBy(${name}, ${make(key, inner)})`;
};

const extreme =
  (kind: 'int' | 'uint' | 'double' | 'dyn'): MacroProduction['make'] =>
  (state, _type, make) => {
    const types = kind === 'dyn' ? (['int', 'uint', 'double'] as const) : ([kind] as const);
    const args = Array.from({ length: 1 + state.take(fc.nat, 3) }, () => make({ kind: pick(state.take, types) }));
    return `math.${pick(state.take, ['least', 'greatest'])}(${args.join(', ')})`;
  };

export const MACROS: readonly MacroProduction[] = [
  ...['all', 'exists', 'exists_one'].map(macro => ({ result: 'bool', make: overList(macro, BOOL) })),
  ...['all', 'exists', 'existsOne'].map(macro => ({ result: 'bool', make: overPairs(macro, BOOL) })),
  { result: 'list(int)', make: mapList },
  { result: 'list(string)', make: mapList },
  { result: 'list(int)', make: sortBy },
  { result: 'list(string)', make: sortBy },
  { result: 'list(int)', make: overPairs('transformList', INT) },
  { result: 'list(string)', make: overPairs('transformList', STRING) },
  { result: 'map(int, int)', make: overPairs('transformMap', INT) },
  ...(['int', 'uint', 'double', 'dyn'] as const).map(kind => ({ result: kind, make: extreme(kind) })),
  {
    result: '*',
    make: (state, type, make) => {
      const bound = pick(state.take, ELEMENTS);
      const { name, inner } = local(state, bound);
      return `cel.bind(${name}, ${make(bound)}, ${make(type, inner)})`;
    },
  },
  { result: '*', make: (_making, type, make) => `{'a': ${make(type)}}.?a.orValue(${make(type)})` },
  { result: '*', make: (_making, type, make) => `[${make(type)}][?${make(INT)}].orValue(${make(type)})` },
  {
    result: 'optional_type(int)',
    make: (state, _type, make) => {
      const { name, inner } = local(state, INT);
      return `${make({ kind: 'optional', value: INT })}.optMap(${name}, ${make(INT, inner)})`;
    },
  },
];

const at = (result: string, ...sources: readonly string[]) => sources.map(source => ({ source, result }));

/** Paths of an index and then fields, into lists of maps and the like. */
export const PATHS = [
  ...at(
    'int',
    'rows[0].a',
    'rows[1].a',
    'rows[size(rows) - 1].b',
    'rows[0]["a"]',
    'rows[-1].a',
    'docs[0].a',
    'rows.map(r, r.a)[0]',
  ),
  ...at(
    'int',
    'rows[?0].?a.orValue(-1)',
    'rows[?9].?a.orValue(-1)',
    '[rows][0][0].a',
    '{"r": rows}.r[0].a',
    'tree["x"][0].a',
  ),
  ...at(
    'string',
    'nested[0].a[0]',
    'nested[0].a[1]',
    'nested[1].b[0]',
    'headers["a"][0]',
    'headers.b[0]',
    'docs[0].name.first',
  ),
  ...at(
    'bool',
    'has(rows[0].a)',
    'has(rows[0].z)',
    'has(nested[0].a)',
    'has(docs[0].a)',
    'has(tree.x)',
    '"a" in rows[0]',
  ),
  ...at('bool', 'rows.exists(r, r.a == 1)', 'rows.all(r, has(r.a) && r.a > 0)', 'nested.exists(n, n.a[0] == "a")'),
  ...at(
    'optional_type(int)',
    'rows[?0].?a',
    'rows[?0][?"a"]',
    'rows[0].?a',
    'optional.of(rows)[?0].?a',
    'rows.first().?a',
  ),
  ...at('list(int)', 'rows.map(r, r.a)', 'rows.filter(r, has(r.b)).map(r, r.b)', 'tree["x"].map(r, r["a"])'),
  ...at('list(string)', 'nested[0].a', 'nested.map(n, n.a[0])', 'headers["a"]'),
  ...at('map(string, int)', 'rows[0]', 'rows[1]', 'tree["x"][0]', 'tree.x[0]'),
];
