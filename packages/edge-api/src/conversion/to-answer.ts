import { answerFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType } from '../definition/field.ts';
import { redactedUrl } from './redacted-url.ts';

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
