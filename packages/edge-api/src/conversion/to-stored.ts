import { type RequestMode, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType } from '../definition/field.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the stored form of a valid body: with defaults, without nulls that mean *not given*, and with header names in lower case. The
 * fields of an updated record stay absent if not given; its modules are complete (part A 4.5).
 */
export function toStored(name: string, mode: RequestMode, body: Members): Members {
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
      return toStored(type.request ?? type.name, 'whole', value as Members);
    case 'list':
      return (value as readonly unknown[]).map(entry => storedValue(type.of, entry));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Members).map(([key, entry]) => [
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
