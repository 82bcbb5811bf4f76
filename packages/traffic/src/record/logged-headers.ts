import type { HeaderFacts, HeaderField } from '../exchange/exchange.ts';

/** Returns request headers that a server logs by name; a dash means that one was not sent. */
export function loggedHeaders(values: Readonly<Record<string, string | undefined>>): HeaderFacts {
  const fields: HeaderField[] = [];
  const absent: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === '-') absent.push(name.toLowerCase());
    else if (value !== undefined) fields.push({ name, value });
  }
  return { fields, absent, complete: false, withheld: [] };
}
