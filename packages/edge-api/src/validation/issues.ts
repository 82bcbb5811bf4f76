import type { z } from 'zod';
import type { ErrorNumber } from '../contract/errors.ts';
import { type RequestMode, requestFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType, Shape } from '../definition/field.ts';
import { expectedOf, missingParts, nameOf, quoted } from './expected.ts';
import { type Fault, faultAt, type Path, shown } from './fault.ts';
import type { IssuePayload } from './schema-of.ts';

interface Context {
  /** The name of the body's shape. */
  readonly name: string;
  readonly mode: RequestMode;
  readonly body: unknown;
  /** The path of the content in the body as sent. */
  readonly prefix: Path;
}

/** Converts Zod issues to faults: first unknown fields, as part B 2.5 requires, then the others in order. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], context: Context): readonly Fault[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  return [...unknown, ...others].flatMap(issue => faultsOfIssue(issue, context));
}

function faultsOfIssue(issue: z.core.$ZodIssue, context: Context): readonly Fault[] {
  const at = [...context.prefix, ...issue.path];
  const node = nodeAt(issue.path, context);
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField(key, at, node));
  if (issue.code === 'custom') {
    const { code, parts } = issue.params as IssuePayload;
    return [faultAt(at, code as ErrorNumber, node.secret ? { ...parts, ...MASKED } : parts)];
  }
  const value = issue.path.reduce<unknown>((from, key) => memberOf(from, key), context.body);
  if ((value === undefined || value === null) && node.field?.required !== undefined) {
    return [faultAt(at, node.field.required as ErrorNumber, missingParts(node.type))];
  }
  const found = node.secret ? nameOf(value) : shown(typeof value === 'string' ? JSON.stringify(value) : value);
  return [faultAt(at, 215, { value: found, expected: expectedOf(node.type) })];
}

/** Messages never contain secrets. */
const MASKED = { value: '…' } as const;

function unknownField(key: string, at: Path, { shape, mode }: SchemaNode): Fault {
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

/** What the contract defines at a path. */
interface SchemaNode {
  readonly type: FieldType | undefined;
  /** The field, if the path ends at one rather than inside its list or map. */
  readonly field?: Field | undefined;
  readonly shape?: Shape;
  readonly mode: RequestMode;
  readonly secret?: boolean;
}

function nodeAt(path: Path, { name, mode }: Context): SchemaNode {
  let node: SchemaNode = { type: { kind: 'shape', name }, shape: shapeOf(name), mode };
  for (const key of path) node = childOf(node, key);
  return node;
}

function childOf({ type, shape, secret = false }: SchemaNode, key: PropertyKey): SchemaNode {
  const field = shape !== undefined && Object.hasOwn(shape.fields, key) ? shape.fields[String(key)] : undefined;
  const next = shape !== undefined ? field?.type : type?.kind === 'list' || type?.kind === 'map' ? type.of : undefined;
  const hidden = secret || field?.secret !== undefined;
  const inner = next?.kind === 'shape' ? { shape: shapeOf(next.request ?? next.name) } : {};
  return { type: next, field, mode: 'whole', secret: hidden, ...inner };
}
