import type { Members } from '../../api/members.ts';

/** The fields that list filters apply to. */
const FIELDS: Readonly<Record<string, string>> = { ids: 'id', urls: 'url' };

/** Returns a predicate that matches list entries. Each filter is a comma-separated list of values. */
export function matching(filters: Readonly<Record<string, string>>): (entry: Members) => boolean {
  const wanted = Object.entries(filters).map(([name, texts]) => ({ field: FIELDS[name], texts: texts.split(',') }));
  return entry => wanted.every(({ field, texts }) => field !== undefined && texts.includes(String(entry[field])));
}
