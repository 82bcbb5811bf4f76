import { type ConfigField, type ConfigType, type Extension, PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { isRecord } from '@tollgate/diagnostics';
import { namesInType, TYPE_NAMES } from '../expressions/explain-errors.ts';
import { listed } from '../rules/read-shape.ts';

/** An error at a path of keys and indices. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** `settings/invalid` by default, for errors of the shape. */
  readonly code?:
    | 'settings/unknown-name'
    | 'settings/bad-declaration'
    | 'test/invalid'
    | 'test/no-assertion'
    | 'prove/invalid';
  /** True if the key is wrong, not its value. */
  readonly ofKey?: true;
}

/** Returns all errors of a value that must be a map with these fields. */
export function shapeFaults(
  value: unknown,
  fields: readonly ConfigField[],
  path: Fault['path'] = [],
): readonly Fault[] {
  if (!isRecord(value)) return [{ path, message: `expected a map, found ${describe(value)}` }];
  const known = fields.map(field => field.name);
  const unknown = Object.keys(value).filter(key => !known.includes(key));
  const missing = fields.filter(field => field.required && (value[field.name] ?? undefined) === undefined);
  return [
    ...unknown.map(key => ({
      path: [...path, key],
      message: `unknown key \`${key}\`${hint(key, known)}`,
      ofKey: true as const,
    })),
    ...missing.map(({ name }) => ({ path, message: `missing key \`${name}\`` })),
    ...fields.flatMap(({ name, type }) => {
      const member = value[name] ?? undefined;
      return member === undefined ? [] : valueFaults(member, type, [...path, name]);
    }),
  ];
}

/** Returns a map of this shape without its null values, which mean omitted keys. */
export function givenMembers(value: unknown, fields: readonly ConfigField[]): Record<string, unknown> {
  if (!isRecord(value)) return {};
  const given: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const member = value[name] ?? undefined;
    if (member !== undefined) given[name] = givenParts(member, type);
  }
  return given;
}

function givenParts(value: unknown, type: ConfigType): unknown {
  if (type.kind === 'object') return givenMembers(value, type.fields);
  if (type.kind === 'map' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, givenParts(member, type.value)]));
  }
  return type.kind === 'list' && Array.isArray(value) ? value.map(item => givenParts(item, type.of)) : value;
}

function valueFaults(value: unknown, type: ConfigType, path: Fault['path']): readonly Fault[] {
  switch (type.kind) {
    case 'any':
      return [];
    case 'object':
      return shapeFaults(value, type.fields, path);
    case 'map':
      return mapFaults(value, type, path);
    case 'list':
      if (!Array.isArray(value)) return [{ path, message: `expected a list, found ${describe(value)}` }];
      if (value.length < (type.min ?? 0)) return [{ path, message: `expected at least ${type.min} items` }];
      return value.flatMap((item, index) => valueFaults(item, type.of, [...path, index]));
    case 'bool':
      return typeof value === 'boolean' ? [] : [{ path, message: `expected true or false, found ${describe(value)}` }];
    case 'int':
    case 'number':
      return numberFaults(value, type, path);
    default:
      return textFaults(value, type, path);
  }
}

function mapFaults(value: unknown, type: Extract<ConfigType, { kind: 'map' }>, path: Fault['path']): readonly Fault[] {
  if (!isRecord(value)) return [{ path, message: `expected a map, found ${describe(value)}` }];
  return Object.entries(value).flatMap(([key, member]) => valueFaults(member, type.value, [...path, key]));
}

function numberFaults(
  value: unknown,
  { kind, min, max }: Extract<ConfigType, { kind: 'int' | 'number' }>,
  path: Fault['path'],
): readonly Fault[] {
  const isRight = kind === 'int' ? Number.isInteger(value) : typeof value === 'number';
  if (isRight && Number(value) >= min && Number(value) <= max) return [];
  const what = kind === 'int' ? 'an integer' : 'a number';
  return [{ path, message: `expected ${what} from ${min} to ${max}, found ${describe(value)}` }];
}

function textFaults(value: unknown, type: ConfigType, path: Fault['path']): readonly Fault[] {
  if (typeof value !== 'string') return [{ path, message: `expected a string, found ${describe(value)}` }];
  if (type.kind === 'string' && type.nonEmpty && value === '')
    return [{ path, message: 'expected a non-empty string' }];
  if (type.kind === 'shape' && !type.patterns.some(pattern => new RegExp(pattern, 'u').test(value)))
    return [{ path, message: `expected ${type.expected}, found \`${value}\`` }];
  if (type.kind !== 'choice' || type.values.includes(value)) return [];
  const values = type.values.map(one => `\`${one}\``).join(', ');
  return [{ path, message: `expected one of ${values}, found \`${value}\`` }];
}

function hint(key: string, known: readonly string[]): string {
  const suggestion = nearest(key, known);
  return suggestion === undefined ? `; use ${listed(known, 'or')}` : `; did you mean \`${suggestion}\`?`;
}

function describe(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `\`${String(value)}\``;
}

/** A type in an extension, and its path. */
interface WrittenType {
  readonly notation: string;
  readonly path: Fault['path'];
}

/** Returns the types of an extension that are malformed or undeclared: an object type without fields would hide that. */
export function typeFaults(extension: Extension): readonly Fault[] {
  const written = writtenTypes(extension);
  if (written.length === 0) return [];
  const known = new Set([...TYPE_NAMES, ...objectNames(extension)]);
  return written.flatMap(({ notation, path }): readonly Fault[] => {
    const names = namesInType(notation);
    if (!names) {
      const message = `expected a type such as \`string\` or \`list(int)\`, found \`${notation}\``;
      return [{ code: 'settings/bad-declaration', path, message }];
    }
    const unknown = names.find(name => !known.has(name));
    if (unknown === undefined) return [];
    const meant = nearest(unknown, known);
    const hint = meant === undefined ? '; declare it under `objects`' : `; did you mean \`${meant}\`?`;
    return [{ code: 'settings/bad-declaration', path, message: `unknown type \`${unknown}\`${hint}` }];
  });
}

function writtenTypes({ variables = [], functions = [], objects = [] }: Extension): readonly WrittenType[] {
  return [
    ...variables.map(({ type }, index) => ({ notation: type, path: ['variables', index, 'type'] })),
    ...functions.flatMap(({ params, result }, index) => [
      ...params.map(({ type }, at) => ({ notation: type, path: ['functions', index, 'params', at, 'type'] })),
      { notation: result, path: ['functions', index, 'result'] },
    ]),
    ...objects.flatMap(({ fields = [] }, index) =>
      fields.map(({ type }, at) => ({ notation: type, path: ['objects', index, 'fields', at, 'type'] })),
    ),
  ];
}

/** Object types are declared, or implied by the paths of variables. */
function objectNames({ variables = [], objects = [] }: Extension): readonly string[] {
  const paths = [...PROFILES.flatMap(profile => profile.variables), ...variables].map(({ path }) => path);
  const declared = [...PROFILES.flatMap(profile => profile.objects), ...objects].map(({ name }) => name);
  return [...declared, ...paths.flatMap(owners)];
}

function owners(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
