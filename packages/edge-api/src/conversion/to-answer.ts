import { answerFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType } from '../definition/field.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an answer is made with. */
export interface AnswerContext {
  /** The absolute URI of a record by its identifier. */
  readonly uriOf: (id: string) => string;
  /** Whether secrets that are answered at creation only are shown. */
  readonly reveal?: boolean;
}

/**
 * The answer for what is kept of an object: every field of the shape's answer form, references from the identifiers kept, null or the
 * default where nothing is, secrets as the contract says. What the service makes (`id`, `uri`, computed fields) must be kept already.
 */
export function toAnswer(name: string, kept: Members, context: AnswerContext): Members {
  return Object.fromEntries(
    answerFields(shapeOf(name)).map(([key, field]) => [key, fieldAnswer(key, field, kept, context)]),
  );
}

function fieldAnswer(key: string, field: Field, kept: Members, context: AnswerContext): unknown {
  if (field.from !== undefined) return references(kept[field.from], context);
  if (field.secret === 'write-only' || (field.secret === 'once' && context.reveal !== true)) return null;
  const value = kept[key] ?? undefined;
  return value === undefined ? (field.default ?? null) : valueAnswer(field.type, value, context);
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
