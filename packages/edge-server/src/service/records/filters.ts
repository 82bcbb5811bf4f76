import { WIRE } from '@tollgate/edge-api';
import { refused } from '../../api/api-error.ts';
import type { Members } from '../../api/members.ts';

/** Returns true for list entries that match. */
export type EntryFilter = (entry: Members) => boolean;

/** The fields that list filters apply to. */
const FIELDS: Readonly<Record<string, string>> = { ids: 'id', urls: 'url' };

/** Returns a filter that compares fields. Each value is a comma-separated list of values. */
export function matching(filters: Readonly<Record<string, string>>): EntryFilter {
  const wanted = Object.entries(filters).map(([name, texts]) => ({ field: FIELDS[name], texts: texts.split(',') }));
  return entry => wanted.every(({ field, texts }) => field !== undefined && texts.includes(String(entry[field])));
}

/**
 * Returns a filter for a CEL expression over a record of the shape. The engine is loaded here, because most servers never need it.
 *
 * @throws ApiError if the expression has an error
 */
export async function compiledFilter(source: string, shape: string, now: number): Promise<EntryFilter> {
  const { filterLength } = WIRE.paging;
  if (source.length > filterLength) throw refused(250, { value: `it has more than ${filterLength} characters` });
  const { createFilter } = await import('../../filters/create-filter.ts');
  const made = createFilter(source, shape);
  if (made.kind === 'error') throw refused(250, { value: made.message });
  if (made.kind === 'no-boolean') throw refused(251, { value: made.type });
  return entry => made.matches(entry, now);
}
