import { celEnv, parse as parseBufbuild, plan } from '@bufbuild/cel';
import { Environment as MarcEnvironment } from '@marcbachmann/cel-js';
import {
  check,
  compileClosures,
  compileToJavaScript,
  createEnvironment,
  type Environment,
  EXTENSION_LIBRARIES,
  extendEnvironment,
  parse,
  type TypedAst,
} from '@tollgate/cel';
import { evaluate as evaluateCelJs, parse as parseCelJs } from 'cel-js';
import type { EvalCase } from './eval-cases.ts';
import { type Exchange, OBJECTS, VARIABLES } from './traffic.ts';

/** A way to run a case; undefined when the engine cannot. */
interface Engine {
  readonly name: string;
  readonly prepare: (one: EvalCase, exchanges: readonly Exchange[]) => Prepared | undefined;
}

/** What is called with each of the inputs. */
export interface Prepared {
  readonly run: (input: never) => unknown;
  readonly inputs: readonly unknown[];
}

/** The environment that all cases are checked against. Like hand-written code, programs rely on plain data. */
export const BENCH_ENVIRONMENT: Environment = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: VARIABLES,
  objects: OBJECTS,
  plainData: true,
});

/** The default: programs check that each property they read is an own one. */
const CHECKED = extendEnvironment(BENCH_ENVIRONMENT, { plainData: false });

/** Parses and checks; a diagnostic means that the benchmark itself is wrong. */
export function typedOf(source: string, environment = BENCH_ENVIRONMENT): TypedAst {
  const parsed = parse(source, environment);
  const checked = check(parsed.ast, environment);
  const diagnostic = parsed.diagnostics[0] ?? checked.diagnostics[0];
  if (diagnostic !== undefined) throw new Error(`${source}: ${diagnostic.message}`);
  return checked.typed;
}

const HAND: Engine = { name: 'hand', prepare: (one, inputs) => ({ run: one.hand, inputs }) };

function ours(name: string, compile: typeof compileClosures, env: Environment): Engine {
  return { name, prepare: (one, inputs) => ({ run: compile(typedOf(one.source), env).evaluate, inputs }) };
}

const OURS: readonly Engine[] = [
  ours('generated', compileToJavaScript, BENCH_ENVIRONMENT),
  ours('closures', compileClosures, BENCH_ENVIRONMENT),
  ours('gen-checked', compileToJavaScript, CHECKED),
  ours('clo-checked', compileClosures, CHECKED),
];

/** Numbers to bigints, as the engines that read a number as a double want their ints. Done beforehand: to their advantage. */
function withBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
}

const MARC: Engine = {
  name: '@marcbachmann/cel-js',
  prepare: (one, exchanges) => {
    const environment = new MarcEnvironment({ unlistedVariablesAreDyn: true });
    return { run: environment.parse(one.source) as Prepared['run'], inputs: exchanges.map(withBigints) };
  },
};

const BUFBUILD: Engine = {
  name: '@bufbuild/cel',
  prepare: (one, exchanges) => {
    const environment = celEnv();
    return { run: plan(environment, parseBufbuild(one.source)) as Prepared['run'], inputs: exchanges.map(withBigints) };
  },
};

const CEL_JS: Engine = {
  name: 'cel-js',
  prepare: (one, inputs) => {
    const parsed = parseCelJs(one.celJs ?? one.source);
    if (!parsed.isSuccess) return undefined;
    const functions = { contains: (text: string, part: string) => text.includes(part) };
    const { cst } = parsed;
    return { run: (input: Exchange) => evaluateCelJs(cst, input as never, functions), inputs };
  },
};

export const ENGINES: readonly Engine[] = [HAND, ...OURS, MARC, BUFBUILD, CEL_JS];
