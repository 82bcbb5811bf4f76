import {
  type CelInput,
  celEnv,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  parse as parseBufbuild,
  plan,
} from '@bufbuild/cel';
import { create, isMessage } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  IpAddress,
  Optional,
  Timestamp,
  TypeValue,
  Unknown,
} from '@tollgate/cel';
import { cidrToString, ipToString } from '@tollgate/cel/tooling';
import { evaluate as evaluateCelJs } from 'cel-js';
import type { Datum } from './data.ts';

/** An outcome as a string that is equal for equal outcomes of any engine; every error is `error`. */
export type Shown = string;

export const ERROR: Shown = 'error';

/** Returns our outcome in that form. */
export function showOurs(value: unknown): Shown {
  if (value instanceof EvaluationError) return ERROR;
  if (value instanceof Unknown) return `unknown ${value.attributes.join(' ')}`;
  if (value instanceof CelUint) return `uint ${value.value}`;
  if (value instanceof CelDouble) return `double ${showDouble(value.value)}`;
  if (value instanceof Timestamp) return `timestamp ${value.seconds} ${value.nanos}`;
  if (value instanceof Duration) return `duration ${value.seconds} ${value.nanos}`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  if (value instanceof IpAddress) return `ip ${ipToString(value)}`;
  if (value instanceof CidrRange) return `cidr ${cidrToString(value)}`;
  if (value instanceof Optional) return `optional(${value.value === undefined ? '' : showOurs(value.value)})`;
  if (typeof value === 'number') return Number.isInteger(value) ? `int ${value}` : `double ${showDouble(value)}`;
  if (typeof value === 'bigint') return `int ${value}`;
  if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`;
  if (Array.isArray(value)) return `[${value.map(showOurs).join(', ')}]`;
  if (value instanceof Map)
    return showMap([...value].map(([key, held]) => [showOurs(boxedKey(value, key)), showOurs(held)]));
  if (typeof value === 'object' && value !== null) {
    return showMap(Object.entries(value).map(([key, held]) => [showOurs(key), showOurs(held)]));
  }
  return JSON.stringify(value);
}

function boxedKey(map: Map<unknown, unknown>, key: unknown): unknown {
  return map instanceof CelMap && map.uintKeys?.has(key as number) ? new CelUint(key as number) : key;
}

/** Like {@link showOurs}, with the error's code and location, on which our evaluators must agree, too. */
export function showOursExactly(value: unknown): Shown {
  return value instanceof EvaluationError ? `${value.code} at ${value.exprId}` : showOurs(value);
}

export function showDouble(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export function showMap(entries: readonly (readonly [key: string, value: string])[]): string {
  const sorted = entries.map(([key, value]) => `${key}: ${value}`).sort();
  return `{${sorted.join(', ')}}`;
}

const BUFBUILD = celEnv();

/** Runs `@bufbuild/cel`. */
export function runBufbuild(source: string, data: Readonly<Record<string, Datum>>): Shown {
  const bindings = Object.fromEntries(Object.entries(data).map(([name, datum]) => [name, toBufbuild(datum)]));
  try {
    return showBufbuild(plan(BUFBUILD, parseBufbuild(source))(bindings));
  } catch {
    return ERROR;
  }
}

export function toBufbuild(datum: Datum): CelInput {
  switch (datum.kind) {
    case 'null':
      return null;
    case 'uint':
      return celUint(datum.value);
    case 'bytes':
      return new Uint8Array(datum.value);
    case 'timestamp':
      return create(TimestampSchema, { seconds: BigInt(datum.seconds), nanos: datum.nanos });
    case 'duration':
      return create(DurationSchema, { seconds: BigInt(datum.seconds), nanos: datum.nanos });
    case 'list':
      return datum.elements.map(toBufbuild);
    case 'map':
      return new Map(datum.entries.map(([key, value]) => [toBufbuild(key) as string, toBufbuild(value)]));
    default:
      return datum.value;
  }
}

export function showBufbuild(value: unknown): Shown {
  if (isCelError(value)) return ERROR;
  if (isCelUint(value)) return `uint ${value.value}`;
  if (typeof value === 'bigint') return `int ${value}`;
  if (typeof value === 'number') return `double ${showDouble(value)}`;
  if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`;
  if (isCelList(value)) return `[${[...value].map(showBufbuild).join(', ')}]`;
  if (isCelMap(value)) return showMap([...value].map(([key, held]) => [showBufbuild(key), showBufbuild(held)]));
  if (isCelType(value)) return `type ${value.name}`;
  if (isReflectMessage(value)) return showBufbuild(value.message);
  if (isMessage(value, TimestampSchema)) return `timestamp ${value.seconds} ${value.nanos}`;
  if (isMessage(value, DurationSchema)) return `duration ${value.seconds} ${value.nanos}`;
  return JSON.stringify(value);
}

/** Runs `cel-js`, which has a single number type. */
export function runCelJs(source: string, data: Readonly<Record<string, Datum>>): Shown {
  const bindings = Object.fromEntries(Object.entries(data).map(([name, datum]) => [name, toCelJs(datum)]));
  try {
    return showCelJs(evaluateCelJs(source, bindings as never));
  } catch {
    return ERROR;
  }
}

export function toCelJs(datum: Datum): unknown {
  switch (datum.kind) {
    case 'int':
      return Number(datum.value);
    case 'bool':
    case 'string':
      return datum.value;
    case 'list':
      return datum.elements.map(toCelJs);
    case 'map':
      return Object.fromEntries(datum.entries.map(([key, value]) => [toCelJs(key), toCelJs(value)]));
    default:
      return null;
  }
}

export function showCelJs(value: unknown): Shown {
  if (Array.isArray(value)) return `[${value.map(showCelJs).join(', ')}]`;
  if (typeof value === 'number') return `int ${value}`;
  if (typeof value === 'object' && value !== null) {
    return showMap(Object.entries(value).map(([key, held]) => [showCelJs(key), showCelJs(held)]));
  }
  return JSON.stringify(value);
}
