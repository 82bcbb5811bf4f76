import type { z } from 'zod';
import type { ErrorNumber } from '../contract/errors.ts';
import { type RequestMode, requestFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType, Shape } from '../definition/field.ts';
import { expectedOf, missingParts, nameOf, quoted } from './expected.ts';
import { type Fault, faultAt, type Path, shown } from './fault.ts';
import type { IssueFacts } from './schema-of.ts';

interface Context {
  /** The shape of the body. */
  readonly name: string;
  readonly mode: RequestMode;
  readonly body: unknown;
  /** Where the content stands in the body as sent. */
  readonly prefix: Path;
}

/** The faults that Zod's issues stand for: unknown fields first, as the order of checks demands (part B 2.5), then the others as found. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], context: Context): readonly Fault[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  return [...unknown, ...others].flatMap(issue => faultsOfIssue(issue, context));
}

function faultsOfIssue(issue: z.core.$ZodIssue, context: Context): readonly Fault[] {
  const at = [...context.prefix, ...issue.path];
  const place = placeOf(issue.path, context);
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField(key, at, place));
  if (issue.code === 'custom') {
    const { code, parts } = issue.params as IssueFacts;
    return [faultAt(at, code as ErrorNumber, place.secret ? { ...parts, ...MASKED } : parts)];
  }
  const value = issue.path.reduce<unknown>((from, key) => memberOf(from, key), context.body);
  if ((value === undefined || value === null) && place.field?.required !== undefined) {
    return [faultAt(at, place.field.required as ErrorNumber, missingParts(place.type))];
  }
  const found = place.secret ? nameOf(value) : shown(typeof value === 'string' ? JSON.stringify(value) : value);
  return [faultAt(at, 215, { value: found, expected: expectedOf(place.type) })];
}

/** A secret is never repeated in a message. */
const MASKED = { value: '…' } as const;

function unknownField(key: string, at: Path, { shape, mode }: Place): Fault {
  const { refused = {} } = shape ?? {};
  const code = Object.hasOwn(refused, key) ? refused[key] : 214;
  const names = shape === undefined ? [] : requestFields(shape, mode).map(([name]) => name);
  return faultAt([...at, key], code as ErrorNumber, { value: shown(key), expected: quoted(names) || 'none' });
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
    : undefined;
}

/** What the contract has at a path. */
interface Place {
  readonly type: FieldType | undefined;
  /** The field, where the path ends at one and not inside its list or map. */
  readonly field?: Field | undefined;
  readonly shape?: Shape;
  readonly mode: RequestMode;
  readonly secret?: boolean;
}

function placeOf(path: Path, { name, mode }: Context): Place {
  let place: Place = { type: { kind: 'shape', name }, shape: shapeOf(name), mode };
  for (const key of path) place = step(place, key);
  return place;
}

function step({ type, shape, secret = false }: Place, key: PropertyKey): Place {
  const field = shape !== undefined && Object.hasOwn(shape.fields, key) ? shape.fields[String(key)] : undefined;
  const next = shape !== undefined ? field?.type : type?.kind === 'list' || type?.kind === 'map' ? type.of : undefined;
  const hidden = secret || field?.secret !== undefined;
  const inner = next?.kind === 'shape' ? { shape: shapeOf(next.request ?? next.name) } : {};
  return { type: next, field, mode: 'whole', secret: hidden, ...inner };
}
