/** Maps values to keys with the same answers, in SQL, so that a column of many different values is asked few questions. */
import { PROFILES, STRING_KEY } from '@tollgate/catalog';
import { readsOf } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import { conditionColumns, type Stage } from '@tollgate/compile';
import { type ConjunctSources, dialectOf, MAX_KEY_LENGTH } from '@tollgate/simulator';
import { isSingle } from '@tollgate/traffic/columns';
import { columnOf } from '../recordings/source.ts';
import { DUCKDB_STRINGS, isPlainSql, PLAIN_FORMS, type PlainForm } from './plain-forms.ts';
import type { Question } from './questions.ts';
import type { AskingContext, RunContext } from './run-context.ts';

/** Questions that have the same answers for all values with the same key, so that one value of each key is enough to ask them. */
interface ReducedQuestions {
  readonly questions: readonly Question[];
  /** The key in SQL, null where a value has its own answers; undefined if all have. */
  readonly key: string | undefined;
  /** Whether the key consists of results of conditions, which are few however many values there are. */
  readonly isResult: boolean;
}

/** How the distinct values of an input are reduced to those for which questions are asked. */
export interface Reduction {
  /** Columns, each stage in a query over the one before; the first over the column of the input. */
  readonly stages: readonly Stage[];
  readonly deciding: readonly ReducedQuestions[];
  /** The answers to questions for a list of keys in SQL, null where the question is asked. */
  readonly listed: ReadonlyMap<Question, string>;
}

/** With more, the evaluator's index over all tests is faster. So many results fit in an integer. */
const MAX_TESTS = 60;

/**
 * Returns how values of an input are reduced for questions that read nothing else but whether a request was refused; undefined if SQL knows
 * nothing about them.
 */
export function reductionOf(
  context: RunContext,
  inputs: readonly number[],
  questions: readonly Question[],
): Reduction | undefined {
  const isStatus = (input: number) => context.source.layout.inputs.all[input]!.kind === 'unusual-status';
  const others = inputs.filter(one => !isStatus(one));
  const usual = inputs.filter(isStatus).map(status => `${columnOf(status)} is null`);
  const textIn = (input: number) => context.source.textOf(columnOf(input));
  const origin = others.length === 2 ? originOf(context, others, questions) : undefined;
  const [input, ...more] = origin === undefined ? others : [origin.target];
  if (input === undefined || more.length > 0) return undefined;
  const written = origin === undefined ? textIn(input) : urlOf(origin.scheme, textIn(origin.host), textIn(input));
  const text = usual.length === 0 ? written : `case when ${usual.join(' and ')} then ${written} end`;
  const known = origin === undefined ? knownValue(context, input, questions) : URL_VALUE;
  if (known === undefined) return undefined;
  const { form, columnOf: column } = known;
  const deciding = questions.filter(({ dimension }) => dimension === undefined);
  const tested = testedQuestions(deciding, MAX_TESTS, { dialect: 'duckdb', columnOf: column });
  const parts = Map.groupBy(
    deciding.filter(question => !tested.includes(question)),
    ({ source }) => source && onlyPart(source, column),
  );
  const tests = conditionColumns(sourcesOf(tested), { dialect: 'duckdb', columnOf: column });
  const own = parts.get(undefined) ?? [];
  parts.delete(undefined);
  const isPlain = form === undefined ? isOneValue(context, input, text) : isPlainSql(form, text, DUCKDB_STRINGS);
  const plain: Stage = [['plain', `case when ${isPlain} then ${text} end`]];
  const ofParts = Object.entries(form?.parts ?? {}).map(([name, value]): Stage[number] => [
    `part_${name}`,
    value('plain', DUCKDB_STRINGS),
  ]);
  return {
    stages: [plain, ofParts, ...(tests?.stages ?? [])].filter(stage => stage.length > 0),
    deciding: [
      ...(tested.length > 0 ? [{ questions: tested, key: signatureOf(tests?.results ?? []), isResult: true }] : []),
      ...[...parts].map(([key, all]) => ({ questions: all, key, isResult: false })),
      ...(own.length > 0 ? [{ questions: own, key: undefined, isResult: false }] : []),
    ],
    listed: new Map(
      questions.flatMap(question => {
        const part = question.dimension && form?.keys[question.dimension];
        if (part === undefined) return [];
        const key = `part_${part}`;
        return [[question, `case when length(${key}) <= ${MAX_KEY_LENGTH} then ${key} end`] as const];
      }),
    ),
  };
}

/** The inputs that make up a URL, and its scheme. */
interface Origin {
  readonly scheme: string;
  readonly host: number;
  readonly target: number;
}

/** Returns which of two inputs is the host and which the target of a URL with a known scheme, if nothing else is in the records. */
function originOf(
  { source: { layout, reading }, constant }: AskingContext,
  inputs: readonly number[],
  questions: readonly Question[],
): Origin | undefined {
  const isOf = (field: string) => (input: number) => {
    const own = layout.inputs.all[input]!;
    return own.kind === 'member' && reading.pathsOf(field).includes(own.name);
  };
  const [host, target] = [inputs.find(isOf('host')), inputs.find(isOf('target'))];
  const others = [...new Set(questions.flatMap(({ reads }) => [...reads]))].filter(
    input => constant.get(input) !== undefined,
  );
  const [scheme, ...more] = others;
  if (host === undefined || target === undefined || scheme === undefined || more.length > 0 || !isOf('scheme')(scheme))
    return undefined;
  const name = constant.get(scheme);
  return name === 'http' || name === 'https' ? { scheme: name, host, target } : undefined;
}

/** Returns the URL in SQL, if its parts are what they seem to be in it. */
function urlOf(scheme: string, host: string, target: string): string {
  return `case when starts_with(${target}, '/') and not contains(${host}, '/') then '${scheme}://' || ${host} || ${target} end`;
}

/** How profiles name headers: those of different profiles have different names. */
const DIALECTS = [...new Set(PROFILES.map(dialectOf))];

/** What SQL knows about the values of an input. */
export interface KnownValue {
  /** Undefined if any string is known. */
  readonly form: PlainForm | undefined;
  /** Returns the column with a variable or the only value of a header. */
  readonly columnOf: (path: string, header?: string) => string | undefined;
}

function plainValue(form: PlainForm): KnownValue {
  const columnOf = (path: string, header?: string) => {
    const part = header === undefined ? form.variables[path] : undefined;
    return part && `part_${part}`;
  };
  return { form, columnOf };
}

const URL_VALUE = plainValue(PLAIN_FORMS.find(({ field }) => field === 'url')!);

/** Nothing is known about values that mean something else with those of other inputs. */
export function knownValue(
  { source, constant }: AskingContext,
  input: number,
  questions: readonly Question[],
): KnownValue | undefined {
  const { inputs } = source.layout;
  const isField = (field: string, name: string) => source.reading.pathsOf(field).includes(name);
  const own = inputs.all[input]!;
  const others = [...new Set(questions.flatMap(({ reads }) => [...reads]))].filter(other => other !== input);
  const isAbsent = (other: number) => constant.has(other) && constant.get(other) === undefined;
  if (own.kind === 'member') {
    const form = PLAIN_FORMS.find(({ field }) => isField(field, own.name));
    return form === undefined || !others.every(isAbsent) ? undefined : plainValue(form);
  }
  if (own.kind !== 'header') return undefined;
  const message = (['request_headers', 'response_headers'] as const).find(name => isField(name, own.object));
  const isTold = (other: number) => {
    const { kind } = inputs.all[other]!;
    if (kind === 'unusual-status' && !constant.has(other)) return true;
    return inputs.headerOf(other) === input || (kind === 'presence' && constant.get(other) === true) || isAbsent(other);
  };
  if (message === undefined || !others.every(isTold)) return undefined;
  const isNamed = ({ names, headerKey }: ReturnType<typeof dialectOf>, path: string, header: string | undefined) =>
    path === (message === 'request_headers' ? names.requestHeaders : names.responseHeaders) &&
    header === headerKey(own.name);
  const columnOf = (path: string, header?: string) =>
    DIALECTS.some(dialect => isNamed(dialect, path, header)) ? 'plain' : undefined;
  return { form: undefined, columnOf };
}

/** Returns whether the value of a header is certainly the one that rules read, in SQL. */
function isOneValue({ source: { layout } }: RunContext, input: number, text: string): string {
  const { name } = layout.inputs.all[input] as { readonly name: string };
  const signs = layout.signs.map(sign => `${text} <> ${DUCKDB_STRINGS.text(sign)}`);
  const whole = isSingle(name) ? [] : [`not contains(${text}, ',')`];
  return [...signs, ...whole, `not regexp_matches(${text}, '^[ \\t]|[ \\t]$')`].join(' and ');
}

/** Returns the first questions that SQL can answer exactly, together with few enough tests. */
export function testedQuestions(
  questions: readonly Question[],
  most: number,
  place: Parameters<typeof conditionColumns>[1] & { readonly mayFail?: boolean },
): readonly Question[] {
  const tested: Question[] = [];
  let count = 0;
  for (const question of questions) {
    const found = question.source && conditionColumns([question.source], place);
    const isExcluded = found === undefined || (found.mayFail && place.mayFail === false);
    const tests = isExcluded ? Number.POSITIVE_INFINITY : Math.max(found.tests, found.results.length);
    if (count + tests > most) continue;
    tested.push(question);
    count += tests;
  }
  return tested;
}

export function sourcesOf(questions: readonly Question[]): readonly ConjunctSources[] {
  return questions.flatMap(({ source }) => source ?? []);
}

/** Returns the column with the only variable that conditions read, if it is only part of the value. */
function onlyPart({ rules }: ConjunctSources, columnOf: KnownValue['columnOf']): string | undefined {
  const read = new Set(
    rules.flat().flatMap(typed => readsOf(typed).map(one => columnOf(fieldPathOf(one).replace(`.${STRING_KEY}`, '')))),
  );
  const [only] = read;
  return read.size === 1 && only !== 'part_whole' ? only : undefined;
}

/** Returns results as an integer; null where a condition fails, because messages of errors contain values. */
function signatureOf(results: readonly string[]): string {
  const bits = results.map((result, at) => `${result}::bigint * ${2n ** BigInt(at)}`);
  return `(case when plain is not null then ${bits.join(' + ') || '0'} end)::bigint`;
}
