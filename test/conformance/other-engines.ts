import { celEnv, parse as parseBufbuild, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment as MarcEnvironment } from '@marcbachmann/cel-js';
import { evaluate as evaluateCelJs } from 'cel-js';
import { ERROR, type Shown, showBufbuild, showCelJs, showOurs, toBufbuild, toCelJs } from '../differential/engines.ts';
import type { EvaluationTest, SpecTest } from './evaluation-tests.ts';
import { toDatum, toValue } from './spec-value.ts';

/** Another engine that runs the suite for comparison. Only values and errors are compared, not types. */
interface OtherEngine {
  readonly name: string;
  readonly evaluate: (test: SpecTest) => Shown;
  /** Whether the engine has a single number type: 1, 1u and 1.0 are then the same. */
  readonly hasOneNumberType?: boolean;
}

export const OTHER_ENGINES: readonly OtherEngine[] = [
  { name: '@bufbuild', evaluate: evaluateBufbuild },
  { name: '@marcb.', evaluate: evaluateMarc },
  {
    name: 'cel-js',
    evaluate: test => showCelJs(evaluateCelJs(test.expr, bound(test, toCelJs) as never)),
    hasOneNumberType: true,
  },
];

/** Returns true if the engine returns the value that the test states, or any error where it states one. */
export function passes({ original }: EvaluationTest, engine: OtherEngine): boolean {
  if (original.checkOnly) return false;
  const expected = original.value ?? original.typedResult?.result ?? { boolValue: true };
  const outcome = outcomeOf(original, engine);
  if (original.evalError) return outcome === ERROR;
  const wanted = showOurs(toValue(expected));
  return engine.hasOneNumberType ? numbersAlike(outcome) === numbersAlike(wanted) : outcome === wanted;
}

function outcomeOf(test: SpecTest, engine: OtherEngine): Shown {
  try {
    return engine.evaluate(test);
  } catch {
    return ERROR;
  }
}

function numbersAlike(shown: Shown): string {
  return shown.replaceAll(/\b(?:int|uint|double) /g, 'number ');
}

function bound(test: SpecTest, convert: (datum: ReturnType<typeof toDatum>) => unknown): Record<string, unknown> {
  const bindings = Object.entries(test.bindings ?? {});
  return Object.fromEntries(bindings.map(([name, { value }]) => [name, convert(toDatum(value))]));
}

function evaluateBufbuild(test: SpecTest): Shown {
  const env = celEnv({ namespace: test.container ?? '', funcs: strings });
  return showBufbuild(plan(env, parseBufbuild(test.expr))(bound(test, toBufbuild) as never));
}

/** Uses the most lenient options. */
function evaluateMarc(test: SpecTest): Shown {
  const env = new MarcEnvironment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  return showMarc(env.parse(test.expr)(bound(test, toMarc)));
}

function toMarc(datum: ReturnType<typeof toDatum>): unknown {
  switch (datum.kind) {
    case 'timestamp':
      return new Date(datum.seconds * 1000 + datum.nanos / 1e6);
    case 'list':
      return datum.elements.map(toMarc);
    case 'map':
      return new Map(datum.entries.map(([key, value]) => [toMarc(key), toMarc(value)]));
    case 'null':
      return null;
    case 'bytes':
      return new Uint8Array(datum.value);
    case 'duration':
      return undefined;
    default:
      return datum.value;
  }
}

function showMarc(value: unknown): Shown {
  if (value instanceof Date) {
    return `timestamp ${Math.floor(value.getTime() / 1000)} ${(((value.getTime() % 1000) + 1000) % 1000) * 1e6}`;
  }
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : String(value)}`;
  if (Array.isArray(value)) return `[${value.map(showMarc).join(', ')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return showOurs(value);
  if (value instanceof Map) return showEntries([...value]);
  switch (value.constructor.name) {
    case 'UnsignedInt':
      return `uint ${(value as { readonly value: bigint }).value}`;
    case 'Duration': {
      const duration: object = value;
      const { seconds, nanos } = duration as { readonly seconds: bigint; readonly nanos: number };
      return `duration ${seconds} ${nanos}`;
    }
    case 'Type':
      return `type ${(value as { readonly name: string }).name}`;
    default:
      return showEntries(Object.entries(value));
  }
}

function showEntries(entries: readonly (readonly [key: unknown, value: unknown])[]): Shown {
  const shown = entries.map(([key, value]) => `${showMarc(key)}: ${showMarc(value)}`).sort();
  return `{${shown.join(', ')}}`;
}
