import type { MessageParts } from '../contract/errors.ts';
import { shapeOf } from '../contract/shape-of.ts';
import type { FieldType } from '../definition/field.ts';

/** Describes the expected type in a message. */
export function expectedOf(type: FieldType | undefined): string {
  switch (type?.kind) {
    case 'text':
      return type.reference === undefined ? 'a string' : 'an identifier';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'list':
      return 'a list';
    default:
      return 'an object';
  }
}

/** Describes the type of a value that must not be shown. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Returns the message parts for a missing value: its choices, or its type. */
export function missingParts(type: FieldType | undefined): MessageParts {
  const names = choicesOf(type);
  return { isMissing: true, expected: names.length > 0 ? quoted(names) : expectedOf(type) };
}

function choicesOf(type: FieldType | undefined): readonly string[] {
  if (type?.kind === 'text') return type.oneOf?.values ?? [];
  if (type?.kind !== 'shape') return [];
  const rule = shapeOf(type.request ?? type.name).rules?.find(({ kind }) => kind === 'exactly-one');
  return rule?.kind === 'exactly-one' ? rule.of : [];
}

/** Quotes and joins names for a message. */
export function quoted(names: readonly string[]): string {
  return names.map(name => `'${name}'`).join(', ');
}
