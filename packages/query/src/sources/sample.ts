import type { Input } from '../columns/inputs.ts';

/** A record as JSON data. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Returns the value of an input in a parsed record. */
export function valueIn(record: ParsedRecord, input: Input, signs: readonly string[]): unknown {
  if (input.kind === 'member') return ownMember(record, input.name);
  const held = ownMember(record, input.object);
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return undefined;
  const entries = Object.entries(held);
  if (input.kind === 'presence') return entries.length > 0 ? true : undefined;
  const value = entries.find(([name]) => name.toLowerCase() === input.name)?.[1] ?? undefined;
  if (input.kind === 'header') return value;
  return value === undefined ? undefined : sentAs(value, signs);
}

/** Returns whether the value of a header is one that was certainly sent. */
export function sentAs(value: unknown, signs: readonly string[]): 'one' | 'several' {
  return typeof value === 'number' || (typeof value === 'string' && !signs.includes(value)) ? 'one' : 'several';
}

function ownMember(record: ParsedRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
