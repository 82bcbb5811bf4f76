// References and secrets in a body, found by its shape.

import { type Field, type FieldType, type Path, type Reference, redactedUrl, shapeOf } from '@tollgate/edge-api';
import { isMembers, type Members } from '../api-error.ts';

/** A reference and its path in a body. */
export interface FoundReference {
  readonly path: Path;
  readonly id: string;
  readonly reference: Reference;
}

/** Returns all references in a stored body, in order. */
export function referencesIn(name: string, body: Members): readonly FoundReference[] {
  const found: FoundReference[] = [];
  visitFields(name, body, [], ({ type }, value, path) => collect(type, value, path, found));
  return found;
}

function collect(type: FieldType, value: unknown, path: Path, found: FoundReference[]): void {
  // Policies, which may be large, contain none.
  if (!mayRefer(type)) return;
  switch (type.kind) {
    case 'text':
      if (type.reference && typeof value === 'string' && value !== '') {
        found.push({ path, id: value, reference: type.reference });
      }
      return;
    case 'list':
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) collect(type.of, item, [...path, index], found);
      return;
    case 'map':
      if (isMembers(value)) for (const key of Object.keys(value)) collect(type.keys, key, [...path, key], found);
      return;
    case 'shape':
      if (isMembers(value)) {
        visitFields(requestShape(type), value, path, (field, inner, at) => collect(field.type, inner, at, found));
      }
      return;
    default:
  }
}

const REFERRING_SHAPES = new Map<string, boolean>();

/** Returns true if values of a type may contain references, memoized by shape. */
function mayRefer(type: FieldType): boolean {
  switch (type.kind) {
    case 'text':
      return type.reference !== undefined;
    case 'list':
      return mayRefer(type.of);
    case 'map':
      return mayRefer(type.keys);
    case 'shape': {
      const name = requestShape(type);
      const found =
        REFERRING_SHAPES.get(name) ??
        Object.values(shapeOf(name).fields).some(field => field.use !== 'answer' && mayRefer(field.type));
      REFERRING_SHAPES.set(name, found);
      return found;
    }
    default:
      return false;
  }
}

/** Returns the replacement of a secret; `place` is its path in the body, `field` the field that it belongs to. */
type SecretChange = (secret: string, place: string, field: Field) => unknown;

/** Returns a body with each of its secrets replaced. Returns the same object if nothing changes. */
export function changeSecrets(name: string, body: Members, change: SecretChange): Members {
  return changeIn(name, body, '', change);
}

/** Returns a changed body in which a URL sent in the form that responses show stands for the URL that it was made from. */
export function withKnownUrls(name: string, before: Members, after: Members): Members {
  return changeSecrets(name, after, (url, place, { secret }) => {
    if (secret !== 'origin-only') return url;
    const known = secretAt(before, place);
    return typeof known === 'string' && redactedUrl(known) === url ? known : url;
  });
}

/** Returns what a body has at the place of a secret. */
export function secretAt(body: Members, place: string): unknown {
  return place
    .split('/')
    .slice(1)
    .reduce<unknown>((from, key) => (isMembers(from) ? from[key] : undefined), body);
}

function changeIn(name: string, body: Members, place: string, change: SecretChange): Members {
  let changed: Record<string, unknown> | undefined;
  for (const [key, field] of fieldsWithSecrets(name)) {
    const value = body[key];
    const next = changeValue(field, value, `${place}/${key}`, change);
    if (next === value) continue;
    changed ??= { ...body };
    changed[key] = next;
  }
  return changed ?? body;
}

function changeValue(field: Field, value: unknown, place: string, change: SecretChange): unknown {
  if (field.secret !== undefined && typeof value === 'string' && value !== '') return change(value, place, field);
  if (field.secret !== undefined && isMembers(value)) {
    const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [
      key,
      typeof entry === 'string' && entry !== '' ? change(entry, `${place}/${key}`, field) : entry,
    ]);
    return entries.some(([key, entry]) => entry !== value[key]) ? Object.fromEntries(entries) : value;
  }
  if (field.type.kind === 'shape' && isMembers(value)) return changeIn(requestShape(field.type), value, place, change);
  return value;
}

function requestShape({ name, request }: { readonly name: string; readonly request?: string }): string {
  return request ?? name;
}

function visitFields(
  name: string,
  body: Members,
  path: Path,
  visit: (field: Field, value: unknown, path: Path) => void,
): void {
  for (const [key, field] of Object.entries(shapeOf(name).fields)) {
    const value = body[key];
    if (field.use !== 'answer' && value !== undefined && value !== null) visit(field, value, [...path, key]);
  }
}

const SECRET_FIELDS = new Map<string, readonly (readonly [string, Field])[]>();

/** Returns the fields that are secrets or contain them, memoized by shape. */
function fieldsWithSecrets(name: string): readonly (readonly [string, Field])[] {
  const known = SECRET_FIELDS.get(name);
  if (known) return known;
  const found = Object.entries(shapeOf(name).fields).filter(([, field]) => {
    if (field.secret !== undefined) return true;
    return (
      field.use !== 'answer' && field.type.kind === 'shape' && fieldsWithSecrets(requestShape(field.type)).length > 0
    );
  });
  SECRET_FIELDS.set(name, found);
  return found;
}
