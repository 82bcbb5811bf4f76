import type { Members } from '../../api/members.ts';

/** The fields that filters of lists look at. */
const FIELDS: Readonly<Record<string, string>> = { ids: 'id', urls: 'url' };

/** Whether an entry of a list is one of those that are asked for: each filter is a list of texts, separated by commas. */
export function matching(filters: Readonly<Record<string, string>>): (entry: Members) => boolean {
  const wanted = Object.entries(filters).map(([name, texts]) => ({ field: FIELDS[name], texts: texts.split(',') }));
  return entry => wanted.every(({ field, texts }) => field !== undefined && texts.includes(String(entry[field])));
}
