// Bodies to their stored form, and stored records to responses.

import type { Field, FieldType } from '../definition/field.ts';
import { answerFields, type RequestMode, shapeOf } from './shapes.ts';

type Members = Readonly<Record<string, unknown>>;

/** How to build a response body. */
export interface AnswerContext {
  /** Returns the absolute URI of the record with this identifier. */
  readonly uriOf: (id: string) => string;
  /** Whether to include secrets that are returned only at creation. */
  readonly reveal?: boolean;
}

/**
 * Returns the response form of a stored object: every response field of the shape, references built from stored identifiers, null or the
 * default for absent fields, and secrets as the contract says. Fields assigned by the service (`id`, `uri`, computed fields) must be stored.
 */
export function toAnswer(name: string, kept: Members, context: AnswerContext): Members {
  const answer: Record<string, unknown> = {};
  for (const [key, field] of answerFields(shapeOf(name))) answer[key] = fieldAnswer(key, field, kept, context);
  return answer;
}

function fieldAnswer(key: string, field: Field, kept: Members, context: AnswerContext): unknown {
  if (field.from !== undefined) return references(kept[field.from], context);
  if (field.secret === 'once' && context.reveal !== true) return null;
  const value = kept[key] ?? undefined;
  // A secret that cannot be decrypted; the default would look like one that is not set.
  if (field.secret === 'clear' && kept[key] === null) return null;
  if (field.secret === 'write-only') return field.type.kind === 'map' ? withoutValues(value) : null;
  if (field.secret === 'origin-only' && typeof value === 'string') return redactedUrl(value);
  return value === undefined ? (field.default ?? null) : valueAnswer(field.type, value, context);
}

function withoutValues(map: unknown): Members {
  return Object.fromEntries(Object.keys(map ?? {}).map(key => [key, null]));
}

function references(ids: unknown, { uriOf }: AnswerContext): unknown {
  if (Array.isArray(ids)) return ids.map((id: string) => ({ id, uri: uriOf(id) }));
  return typeof ids === 'string' ? { id: ids, uri: uriOf(ids) } : null;
}

function valueAnswer(type: FieldType, value: unknown, context: AnswerContext): unknown {
  if (type.kind === 'shape') return toAnswer(type.name, value as Members, context);
  if (type.kind === 'list' && type.of.kind === 'shape') {
    const { name } = type.of;
    return (value as readonly Members[]).map(entry => (name === 'Ref' ? entry : toAnswer(name, entry, context)));
  }
  return value;
}

type StoredMembers = Readonly<Record<string, unknown>>;

/**
 * Returns the stored form of a valid body: with defaults, without nulls that mean *not given*, and with header names in lower case. The
 * fields of an updated record stay absent if not given; its modules are complete (part A 4.5).
 */
export function toStored(name: string, mode: RequestMode, body: StoredMembers): StoredMembers {
  const entries = Object.entries(shapeOf(name).fields).flatMap(([key, field]): [string, unknown][] => {
    const value = body[key] ?? undefined;
    if (value !== undefined) return [[key, storedValue(field.type, value)]];
    const absent = mode === 'update' ? undefined : valueIfAbsent(field);
    return absent === undefined ? [] : [[key, absent]];
  });
  return Object.fromEntries(entries);
}

/** Returns what is stored for a field that a request does not give; undefined for fields that the service assigns. */
function valueIfAbsent({ default: initial, nullable, use }: Field): unknown {
  if (initial !== undefined) return initial;
  return nullable && use !== 'answer' ? null : undefined;
}

function storedValue(type: FieldType, value: unknown): unknown {
  switch (type.kind) {
    case 'shape':
      return toStored(type.request ?? type.name, 'whole', value as StoredMembers);
    case 'list':
      return (value as readonly unknown[]).map(entry => storedValue(type.of, entry));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as StoredMembers).map(([key, entry]) => [
          type.keys.lowerCased ? key.toLowerCase() : key,
          storedValue(type.of, entry),
        ]),
      );
    case 'text':
      return type.lowerCased ? (value as string).toLowerCase() : value;
    default:
      return value;
  }
}

/**
 * Returns a URL without what may be a credential: its user, path, query and fragment. Many services accept whoever knows the path, so no part of
 * it is shown. A URL without those parts is returned as it is.
 */
export function redactedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return REDACTED;
  const { origin, pathname, search, hash, username, password } = url;
  const isPlain = pathname.length <= 1 && [search, hash, username, password].every(part => part === '');
  return isPlain ? text : `${origin === 'null' ? `${url.protocol}//${url.host}` : origin}/${REDACTED}`;
}

const REDACTED = '***';
