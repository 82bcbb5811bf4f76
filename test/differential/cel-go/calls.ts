import {
  EXTENSION_LIBRARIES,
  type FunctionDecl,
  formatType,
  INT,
  listOf,
  mapOf,
  type Overload,
  optionalOf,
  STRING,
  type Type,
} from '@tollgate/cel';
import { STANDARD_LIBRARY } from '@tollgate/cel/tooling';
import type { Take } from '../data.ts';
import { chance, pick, scalarLiteral, type TextKind } from './literals.ts';
import { type GeneratorState, MACROS, PATHS } from './macros.ts';

/** Functions that only macros call, and operators with a syntax of their own. */
const HIDDEN = new Set(['@not_strictly_false', 'cel.@block', 'cel.@mapInsert', '@sortByAssociatedKeys', '_?._']);

interface Callable {
  readonly name: string;
  readonly overload: Overload;
}

/** Every overload of every library that an expression can call. */
export const CALLABLES: readonly Callable[] = [STANDARD_LIBRARY, ...EXTENSION_LIBRARIES]
  .flatMap(({ functions }) => functions)
  .filter(({ name }) => !HIDDEN.has(name))
  .flatMap(({ name, overloads }: FunctionDecl) => overloads.map(overload => ({ name, overload })));

const SCALARS: readonly Type[] = (
  ['null', 'bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'] as const
).map(kind => ({ kind }));
const CONCRETE: readonly Type[] = [
  ...SCALARS.slice(1),
  listOf(INT),
  listOf(STRING),
  mapOf(STRING, INT),
  optionalOf(INT),
];
const KEYS: readonly Type[] = SCALARS.filter(({ kind }) => ['bool', 'int', 'uint', 'string'].includes(kind));

/** Generates a call of the overload, with arguments at the boundaries of their types. */
export function callOf({ name, overload }: Callable, state: GeneratorState): string {
  const bound = new Map<string, Type>();
  const args = overload.params.map((param, index) => {
    const type = substitute(param, bound, state.take);
    return argument(state, type, stringsOf(overload.id, index));
  });
  return written(name, overload, args);
}

/** Generates an expression of the type. */
export function expressionOf(state: GeneratorState, type: Type, texts?: TextKind): string {
  const { take, depth } = state;
  const variables = state.scope.filter(candidate => candidate.type === formatType(type));
  if (texts === undefined && variables.length > 0 && chance(take, 3)) return pick(take, variables).name;
  if (depth > 0 && texts === undefined && chance(take, 2)) return computed(state, type);
  return literal(state, type, texts);
}

function argument(state: GeneratorState, type: Type, texts: TextKind | undefined): string {
  const inner = { ...state, depth: state.depth - 1 };
  const made = expressionOf(inner, type, texts);
  return chance(state.take, 10) ? `dyn(${made})` : made;
}

function computed(state: GeneratorState, type: Type): string {
  const inner = { ...state, depth: state.depth - 1 };
  const notation = formatType(type);
  const macros = MACROS.filter(({ result }) => result === notation || result === '*');
  const paths = PATHS.filter(({ result }) => result === notation);
  if (paths.length > 0 && chance(state.take, 4)) return pick(state.take, paths).source;
  if (macros.length > 0 && chance(state.take, 3)) {
    return pick(state.take, macros).make(inner, type, (of, within = inner) => expressionOf(within, of));
  }
  const calls = CALLABLES.filter(({ overload }) => formatType(overload.result) === notation);
  return calls.length === 0 ? literal(state, type) : callOf(pick(state.take, calls), inner);
}

function literal(state: GeneratorState, type: Type, texts?: TextKind): string {
  const { take } = state;
  const inner = { ...state, depth: Math.min(state.depth - 1, 0) };
  switch (type.kind) {
    case 'list':
      return `[${several(state, () => expressionOf(inner, type.element)).join(', ')}]`;
    case 'map':
      return mapLiteral(state, type);
    case 'optional':
      return chance(take, 4) ? 'optional.none()' : `optional.of(${expressionOf(inner, type.value)})`;
    case 'dyn':
    case 'param':
      return `dyn(${expressionOf(inner, pick(take, CONCRETE))})`;
    default:
      return scalarLiteral(take, type, texts) ?? 'null';
  }
}

function mapLiteral(state: GeneratorState, type: Extract<Type, { kind: 'map' }>): string {
  const inner = { ...state, depth: 0 };
  const entries = several(state, () => `${expressionOf(inner, type.key)}: ${expressionOf(inner, type.value)}`);
  return `{${entries.slice(0, state.isOrdered ? 1 : entries.length).join(', ')}}`;
}

function several({ take }: GeneratorState, one: () => string): string[] {
  return Array.from({ length: pick(take, [0, 1, 1, 2, 2, 3]) }, one);
}

function substitute(type: Type, bound: Map<string, Type>, take: Take): Type {
  switch (type.kind) {
    case 'param': {
      const known = bound.get(type.name) ?? pick(take, type.name === 'K' ? KEYS : CONCRETE);
      bound.set(type.name, known);
      return known;
    }
    case 'list':
      return listOf(substitute(type.element, bound, take));
    case 'optional':
      return optionalOf(substitute(type.value, bound, take));
    case 'map':
      return mapOf(
        type.key.kind === 'param' ? (bound.get(type.key.name) ?? pick(take, KEYS)) : type.key,
        substitute(type.value, bound, take),
      );
    default:
      return type;
  }
}

const INFIX = /^_(==|!=|<=?|>=?|\+|-|\*|\/|%|&&|\|\|)_$/;

function written(name: string, { member }: Overload, args: readonly string[]): string {
  const [first = '', second = '', third = ''] = args;
  const operator = INFIX.exec(name)?.[1];
  if (operator !== undefined) return `(${first} ${operator} ${second})`;
  if (name === '@in') return `(${first} in ${second})`;
  if (name === '_[_]') return `${first}[${second}]`;
  if (name === '_[?_]') return `${first}[?${second}]`;
  if (name === '_?_:_') return `(${first} ? ${second} : ${third})`;
  if (name === '!_') return `!${first}`;
  if (name === '-_') return `(-${first})`;
  const written = name.replace('math.@min', 'math.least').replace('math.@max', 'math.greatest');
  return member ? `${first}.${written}(${args.slice(1).join(', ')})` : `${written}(${args.join(', ')})`;
}

/** Strings for a string argument, by overload id and parameter. */
const STRINGS: readonly (readonly [id: RegExp, place: number, kind: TextKind])[] = [
  [/^matches/, 1, 'pattern'],
  [/^regex_/, 1, 'pattern'],
  [/^regex_replace/, 2, 'replacement'],
  [/^string_format/, 0, 'format'],
  [/^string_to_(int64|uint64|double|bool)/, 0, 'number'],
  [/^string_to_timestamp/, 0, 'time'],
  [/^string_to_duration/, 0, 'duration'],
  [/_(with_)?tz$/, 1, 'zone'],
  [/^base64_decode/, 0, 'base64'],
  [/^json_parse/, 0, 'json'],
  [/^(string_to_ip|is_ip|ip_is_canonical)$/, 0, 'ip'],
  [/^cidr_contains_ip_string$/, 1, 'ip'],
  [/^(string_to_cidr|is_cidr)$/, 0, 'cidr'],
  [/^cidr_contains_cidr_string$/, 1, 'cidr'],
];

function stringsOf(id: string, place: number): TextKind | undefined {
  return STRINGS.find(([pattern, index]) => index === place && pattern.test(id))?.[2];
}
