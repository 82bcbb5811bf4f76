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
  type Program,
  parse,
  STRING,
  type Type,
} from '@tollgate/cel';
import fc from 'fast-check';
import { type Datum, datumOf, type Take, toOurs } from '../data.ts';
import { ERROR, showOurs } from '../engines.ts';
import { CALLABLES, callOf, expressionOf } from './calls.ts';
import type { Question } from './driver.ts';
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
};

/** By name, as both sides declare them. */
export const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([name, type]) => [name, formatType(type)]),
);

const SCOPE = Object.entries(VARIABLES).map(([name, type]) => ({ name, type }));
/** Declares the variables, with every library. */
export const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
});
const UNFOLDED = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
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
    return { type: undefined, closures: ERROR, generated: ERROR, folded: ERROR, failure: `check: ${refusal.message}` };
  }
  const activation = Object.fromEntries(
    Object.entries(data).map(([name, datum]) => [name, toOurs(datum, !/dyn/.test(VARIABLES[name]!))]),
  );
  const run = (program: Program) => evaluated(program, activation as Activation);
  const first = run(compileClosures(checked.typed, UNFOLDED));
  return {
    type: formatType(checked.typed.resultType),
    closures: showOurs(first),
    generated: showOurs(run(compileToJavaScript(checked.typed, UNFOLDED))),
    folded: showOurs(run(compileToJavaScript(checked.typed, ENVIRONMENT))),
    failure: first instanceof EvaluationError ? `run: ${first.code} ${first.message}` : undefined,
  };
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
