import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Datum } from '../data.ts';
import { showReference, type WireDatum } from './wire.ts';

/** The answer of cel-go for an expression. */
export interface Answer {
  /** The type that its checker inferred; undefined if it failed. */
  readonly type: string | undefined;
  /** In the format of our outcomes; `error` for errors and rejections. */
  readonly shown: string;
  /** The error, for human readers. */
  readonly failure: string | undefined;
}

/** An expression, and data for the variables that have a value. */
export interface Question {
  readonly source: string;
  /** The expression as `cel.expr.CheckedExpr`, to evaluate instead of the source. */
  readonly checked?: unknown;
  readonly data: Readonly<Record<string, Datum>>;
}

/** Runs questions through cel-go, or says why that is not possible. */
type Reference =
  | { readonly isAvailable: true; readonly ask: (questions: readonly Question[]) => readonly Answer[] }
  | { readonly isAvailable: false; readonly reason: string };

const HERE = import.meta.dirname;
const BUILD_TIMEOUT = 5 * 60_000;

/** Builds the driver, which requires Go and, the first time, a module proxy. */
export function openReference(variables: Readonly<Record<string, string>>): Reference {
  const version = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (version.status !== 0) return { isAvailable: false, reason: 'the command `go` is not there' };
  const folder = join(HERE, '../../../node_modules/.cache/tollgate-cel-go');
  mkdirSync(folder, { recursive: true });
  const driver = join(folder, 'driver');
  const build = spawnSync('go', ['build', '-o', driver, '.'], { cwd: HERE, encoding: 'utf8', timeout: BUILD_TIMEOUT });
  if (build.status !== 0)
    return { isAvailable: false, reason: `\`go build\` fails: ${build.stderr.trim().slice(0, 300)}` };
  return { isAvailable: true, ask: questions => ask(driver, variables, questions) };
}

function ask(driver: string, variables: Readonly<Record<string, string>>, questions: readonly Question[]): Answer[] {
  if (questions.length === 0) return [];
  const lines = questions.map(question => JSON.stringify(question, wireValue));
  const input = `${[JSON.stringify(variables), ...lines].join('\n')}\n`;
  const run = spawnSync(driver, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`the cel-go driver fails: ${run.stderr.slice(0, 2000)}`);
  const answers = run.stdout.trimEnd().split('\n').map(readAnswer);
  if (answers.length !== questions.length) throw new Error('the cel-go driver left questions out');
  return answers;
}

const bits = new DataView(new ArrayBuffer(8));

/** On the wire, integers are decimal strings and doubles are their bits. */
function wireValue(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (key !== 'value' || typeof value !== 'number') return value;
  bits.setFloat64(0, value);
  return bits.getBigUint64(0).toString(16).padStart(16, '0');
}

/** Types with another name in the notation of `formatType`. */
const NAMES: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
  null_type: 'null',
};

function readAnswer(line: string): Answer {
  const { type, value, stage, error } = JSON.parse(line) as {
    readonly type?: string;
    readonly value?: WireDatum;
    readonly stage?: string;
    readonly error?: string;
  };
  const failure = stage === undefined ? undefined : `${stage}: ${error}`;
  return {
    type: type?.replaceAll(/\b(google\.protobuf\.(Timestamp|Duration)|null_type)\b/g, name => NAMES[name]!),
    shown: value === undefined ? 'error' : showReference(value),
    failure,
  };
}
