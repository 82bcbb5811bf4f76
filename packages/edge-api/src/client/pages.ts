import type { Operation } from '../definition/operation.ts';
import { failure, type Result } from './result.ts';

type Query = Readonly<Record<string, string | number>>;

/**
 * The records of all pages of a list. Of the next page's URI the query alone is used: the server may be reached at another address than
 * the one that it knows itself by, and the API key must not go to a host that an answer names. A page that names itself, or
 * one before it, as the next one ends the iteration with a failure.
 */
export async function* entriesOf(
  { listKey }: Operation,
  first: Query,
  page: (query: Query) => Promise<Result<unknown>>,
): AsyncGenerator<Result<unknown>> {
  const seen = new Set<string>();
  let query: Query | undefined = first;
  while (query !== undefined) {
    const result: Result<unknown> = await page(query);
    if (!result.ok) return yield result;
    const body = result.value as Readonly<Record<string, unknown>>;
    for (const value of body[listKey!] as readonly unknown[]) yield { ...result, value };
    const next = body.next_page_uri;
    if (typeof next !== 'string' || next === '') return;
    query = queryOf(next);
    const key = JSON.stringify(query);
    if (query === undefined || seen.has(key))
      return yield failure('malformed', `expected a next page, found \`${next}\``);
    seen.add(key);
  }
}

function queryOf(uri: string): Query | undefined {
  const url = URL.parse(uri, 'http://page.invalid');
  return url === null ? undefined : Object.fromEntries(url.searchParams);
}
