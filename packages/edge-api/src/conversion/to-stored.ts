import { type RequestMode, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType } from '../definition/field.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A valid body as it is kept: defaults filled in, null for *not given* dropped or made the field's default, names of headers in lower
 * case. Of an update, the record's own fields stay as sparse as they came; modules are whole (part A 4.5).
 */
export function completed(name: string, mode: RequestMode, body: Members): Members {
  const entries = Object.entries(shapeOf(name).fields).flatMap(([key, field]): [string, unknown][] => {
    const value = body[key] ?? undefined;
    if (value !== undefined) return [[key, completedValue(field.type, value)]];
    const absent = mode === 'update' ? undefined : whenAbsent(field);
    return absent === undefined ? [] : [[key, absent]];
  });
  return Object.fromEntries(entries);
}

/** What a field that a request does not give is kept as; undefined for what the service makes. */
function whenAbsent({ default: initial, nullable, use }: Field): unknown {
  if (initial !== undefined) return initial;
  return nullable && use !== 'answer' ? null : undefined;
}

function completedValue(type: FieldType, value: unknown): unknown {
  switch (type.kind) {
    case 'shape':
      return completed(type.request ?? type.name, 'whole', value as Members);
    case 'list':
      return (value as readonly unknown[]).map(entry => completedValue(type.of, entry));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Members).map(([key, entry]) => [
          type.keys.lowerCased ? key.toLowerCase() : key,
          completedValue(type.of, entry),
        ]),
      );
    case 'text':
      return type.lowerCased ? (value as string).toLowerCase() : value;
    default:
      return value;
  }
}
