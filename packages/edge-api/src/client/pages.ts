import type { Operation } from '../definition/operation.ts';
import { failure, type Result } from './result.ts';

type Query = Readonly<Record<string, string | number>>;

/**
 * Yields the records of all pages of a list. Only the query of the next page's URI is used: the server may be reachable at another address
 * than it reports, and the API key must not be sent to a host named in a response. A page that links to itself or to an earlier page ends the
 * iteration with a failure.
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
