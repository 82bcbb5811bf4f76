import type { Input } from '../columns/inputs.ts';

/** A record as JSON data. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Returns the value of an input in a parsed record. */
export function valueIn(record: ParsedRecord, input: Input): unknown {
  if (input.kind === 'member') return ownMember(record, input.name);
  const held = ownMember(record, input.object);
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return undefined;
  const entries = Object.entries(held);
  if (input.kind === 'presence') return entries.length > 0 ? true : undefined;
  const value = entries.find(([name]) => name.toLowerCase() === input.name)?.[1] ?? undefined;
  if (input.kind === 'header') return value;
  return value === undefined ? undefined : isSingle(value) ? 'one' : 'several';
}

function isSingle(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function ownMember(record: ParsedRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
