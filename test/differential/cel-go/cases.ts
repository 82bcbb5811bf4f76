import {
  type Activation,
  BOOL,
  check,
  compileClosures,
  compileToJavaScript,
  createEnvironment,
  DYN,
  EvaluationError,
  EXTENSION_LIBRARIES,
  formatType,
  INT,
  listOf,
  mapOf,
  objectType,
  type Program,
  parse,
  STRING,
  type Type,
  wrapperOf,
} from '@tollgate/cel';
import fc from 'fast-check';
import { type Datum, datumOf, type Take, toOurs } from '../data.ts';
import { ERROR, showOurs, showOursExactly } from '../engines.ts';
import { CALLABLES, callOf, expressionOf } from './calls.ts';
import type { Question } from './driver.ts';
import { joinOf } from './joins.ts';
import { chance, pick } from './literals.ts';

const ROW = mapOf(STRING, INT);

const TYPES: Readonly<Record<string, Type>> = {
  b: BOOL,
  c: BOOL,
  i: INT,
  j: INT,
  u: { kind: 'uint' },
  f: { kind: 'double' },
  s: STRING,
  t: STRING,
  y: { kind: 'bytes' },
  at: { kind: 'timestamp' },
  span: { kind: 'duration' },
  d: DYN,
  ints: listOf(INT),
  uints: listOf({ kind: 'uint' }),
  doubles: listOf({ kind: 'double' }),
  names: listOf(STRING),
  texts: listOf(STRING),
  table: ROW,
  byInt: mapOf(INT, STRING),
  headers: mapOf(STRING, listOf(STRING)),
  rows: listOf(ROW),
  nested: listOf(mapOf(STRING, listOf(STRING))),
  tree: mapOf(STRING, listOf(ROW)),
  docs: listOf(DYN),
  wrappedBool: wrapperOf(BOOL),
  wrappedInt: wrapperOf(INT),
  wrappedUint: wrapperOf({ kind: 'uint' }),
  wrappedDouble: wrapperOf({ kind: 'double' }),
  wrappedString: wrapperOf(STRING),
  wrappedBytes: wrapperOf({ kind: 'bytes' }),
  message: objectType('google.protobuf.SourceContext'),
  messages: listOf(objectType('google.protobuf.SourceContext')),
};

/** The message type that both sides know. */
const OBJECTS = [{ name: 'google.protobuf.SourceContext', fields: new Map([['file_name', { type: STRING }]]) }];

/** By name, as both sides declare them. */
export const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([name, type]) => [name, formatType(type)]),
);

const SCOPE = Object.entries(VARIABLES).map(([name, type]) => ({ name, type }));
/** Declares the variables, with every library. */
export const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
  objects: OBJECTS,
});
const UNFOLDED = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
  objects: OBJECTS,
  constantFolding: false,
});

/** A case and its outermost overload. */
export interface CallCase extends Question {
  readonly overloadId: string;
}

/** Generates a call of some overload; of the one at the given index if there is one, so that all are covered. */
export function callCase(take: Take, place?: number): CallCase {
  const callable = place === undefined ? pick(take, CALLABLES) : CALLABLES[place % CALLABLES.length]!;
  const isOrdered = chance(take, 2);
  const state = { take, scope: SCOPE, depth: 3, isOrdered };
  const source = chance(take, 8)
    ? expressionOf({ ...state, depth: 4 }, callable.overload.result)
    : callOf(callable, state);
  return { source, data: dataFor(source, take, isOrdered), overloadId: callable.overload.id };
}

/** Generates a join of values of any two types, such as null and a message. */
export function joinCase(take: Take): Question {
  const source = joinOf(take);
  return { source, data: dataFor(source, take, true) };
}

function dataFor(source: string, take: Take, isOrdered: boolean): Record<string, Datum> {
  const data: Record<string, Datum> = {};
  for (const [name, type] of Object.entries(VARIABLES)) {
    if (!new RegExp(`\\b${name}\\b`).test(source) || chance(take, 24)) continue;
    const datum = name === 'docs' ? documents(take) : datumOf(type, take, { without: new Set() });
    data[name] = isOrdered ? withOneEntry(datum) : datum;
  }
  return data;
}

const text = (value: string): Datum => ({ kind: 'string', value });

/** Nested documents, as in JSON. */
function documents(take: Take): Datum {
  const name: Datum = { kind: 'map', entries: [[text('first'), text(pick(take, ['a', 'é']))]] };
  const whole: Datum = {
    kind: 'map',
    entries: [
      [text('a'), { kind: 'int', value: 1n }],
      [text('name'), name],
    ],
  };
  const bare: Datum = { kind: 'map', entries: [] };
  return { kind: 'list', elements: pick(take, [[whole], [bare], [], [{ kind: 'null' }, whole]] as const) };
}

/** Go iterates over a map in random order. */
function withOneEntry(datum: Datum): Datum {
  if (datum.kind === 'list') return { ...datum, elements: datum.elements.map(withOneEntry) };
  if (datum.kind !== 'map') return datum;
  return { ...datum, entries: datum.entries.slice(0, 1).map(([key, value]) => [key, withOneEntry(value)] as const) };
}

/** Our results for a case. */
export interface Outcome {
  readonly type: string | undefined;
  /** The type as it may be written if one of the types is forgotten wherever null was joined with another. */
  readonly narrowed: readonly string[];
  /** Whether the type of a part is dynamic. */
  readonly isDynamic: boolean;
  readonly closures: string;
  readonly generated: string;
  readonly folded: string;
  readonly failure: string | undefined;
}

export function outcomeOf({ source, data }: Question): Outcome {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  const refusal = [...diagnostics, ...checked.diagnostics].find(({ severity }) => severity === 'error');
  if (refusal !== undefined) {
    const failure = `check: ${refusal.message}`;
    return {
      type: undefined,
      narrowed: [],
      isDynamic: false,
      closures: ERROR,
      generated: ERROR,
      folded: ERROR,
      failure,
    };
  }
  const run = (program: Program) => evaluated(program, activationOf(data));
  const first = run(compileClosures(checked.typed, UNFOLDED));
  return {
    type: formatType(checked.typed.resultType),
    narrowed: narrowed(checked.typed.resultType),
    isDynamic: checked.typed.types.some(type => type !== undefined && /\bdyn\b/.test(formatType(type))),
    closures: showOurs(first),
    generated: showOurs(run(compileToJavaScript(checked.typed, UNFOLDED))),
    folded: showOurs(run(compileToJavaScript(checked.typed, ENVIRONMENT))),
    failure: first instanceof EvaluationError ? `run: ${first.code} ${first.message}` : undefined,
  };
}

function narrowed(type: Type): readonly string[] {
  switch (type.kind) {
    case 'wrapper':
      return ['null', `wrapper(${formatType(type.of)})`, ...narrowed(type.of)];
    case 'list':
      return narrowed(type.element).map(element => `list(${element})`);
    case 'optional':
      return narrowed(type.value).map(value => `optional_type(${value})`);
    case 'map':
      return narrowed(type.value).map(value => `map(${formatType(type.key)}, ${value})`);
    default:
      return [formatType(type)];
  }
}

/** Returns the outcomes of both evaluators with the code and location of an error; undefined if the checker refuses the expression. */
export function exactOutcomesOf(source: string, activation: Activation): readonly string[] | undefined {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  if ([...diagnostics, ...checked.diagnostics].some(({ severity }) => severity === 'error')) return undefined;
  const programs = [UNFOLDED, ENVIRONMENT].flatMap(env => [
    compileClosures(checked.typed, env),
    compileToJavaScript(checked.typed, env),
  ]);
  return programs.map(program => showOursExactly(evaluated(program, activation)));
}

/** Returns data as the variables of an evaluation. */
export function activationOf(data: Question['data']): Activation {
  const values = Object.entries(data).map(([name, datum]) => [name, toOurs(datum, !/dyn/.test(VARIABLES[name]!))]);
  return Object.fromEntries(values);
}

/** An exception is an outcome, too, so that one defect does not hide others. */
function evaluated(program: Program, activation: Activation): unknown {
  try {
    return program.evaluate(activation);
  } catch (thrown) {
    return `thrown ${String(thrown)}`;
  }
}

/** Generates cases from one random stream. */
export function casesOf<T>(count: number, seed: number, make: (take: Take, index: number) => T): T[] {
  const cases: T[] = [];
  const property = fc.property(fc.gen(), take => {
    cases.push(make(take, cases.length));
  });
  fc.assert(property, { numRuns: count, seed });
  return cases;
}

/** Returns the case with an unpaired surrogate in every string of its data. */
export function withUnpairedSurrogates<T extends Question>(question: T): T {
  const data = Object.entries(question.data).map(([name, datum]) => [name, withSurrogates(datum)] as const);
  return { ...question, data: Object.fromEntries(data) };
}

function withSurrogates(datum: Datum): Datum {
  switch (datum.kind) {
    case 'string':
      return { kind: 'string', value: `\udc00${datum.value}\ud83d` };
    case 'list':
      return { ...datum, elements: datum.elements.map(withSurrogates) };
    case 'map':
      return { ...datum, entries: datum.entries.map(([key, value]) => [key, withSurrogates(value)] as const) };
    default:
      return datum;
  }
}
