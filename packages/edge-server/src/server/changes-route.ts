// The record of changes over HTTP.

import { WIRE } from '@tollgate/edge-api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, refused } from '../api-error.ts';
import type { ChangeLog, RecordedChange } from '../store/store.ts';
import { checkRequest, checkScope, type RouteParts } from './operation-route.ts';

/** The path of the record of changes, outside the paths of the documented API. */
export const CHANGES_PATH = '/_tollgate/changes';

const PARAMETERS: readonly string[] = ['before', 'since', 'key', 'limit'];

const { defaultLimit, maxLimit } = WIRE.paging;

/** Adds the record of changes, newest first, in pages like lists of the API. It is for administrators: it shows the whole configuration. */
export function addChanges(app: FastifyInstance, parts: RouteParts): void {
  const { settings, store, baseUrl } = parts;
  app.route({
    method: 'GET',
    url: CHANGES_PATH,
    onRequest: checkRequest(
      'RecordedChanges',
      principal => {
        checkScope(principal, 'admin');
        if (principal.edges) throw new ApiError({ kind: 'plain', error: 'other-edge' });
      },
      parts,
    ),
    handler: async (request, reply) => {
      const asked = askedFor(request);
      const uri = `${baseUrl(request.headers)}${CHANGES_PATH}`;
      const text = await changesText(store.changes, asked, uri);
      return await reply.header(settings.operationIdHeader, request.id).type('application/json').send(text);
    },
  });
}

/** A change as a JSON object, with what it was before and after. */
export function changeJson({ seq, at, operation, requestId, resourceId, keyId, address, detail }: RecordedChange) {
  return {
    seq,
    time: new Date(at).toISOString(),
    operation,
    resource: resourceId,
    key: keyId,
    address,
    op: requestId,
    ...(JSON.parse(detail) as object),
  };
}

interface Asked {
  readonly query: URLSearchParams;
  readonly before: number | undefined;
  readonly since: number | undefined;
  readonly key: string | undefined;
  readonly limit: number;
}

async function changesText(changes: ChangeLog, asked: Asked, uri: string): Promise<string> {
  const { before, since, key, limit, query } = asked;
  // One more shows whether there is another page.
  const found = await changes.page({ before, since, key, limit: limit + 1 });
  const page = found.slice(0, limit);
  const next = new URLSearchParams([...query].filter(([name]) => name !== 'before'));
  next.set('before', String(page.at(-1)?.seq));
  return JSON.stringify({
    changes: page.map(changeJson),
    uri: query.size > 0 ? `${uri}?${query}` : uri,
    next_page_uri: found.length > limit ? `${uri}?${next}` : null,
  });
}

/** @throws ApiError */
function askedFor({ url }: FastifyRequest): Asked {
  const [, text = ''] = url.split('?');
  const query = new URLSearchParams(text);
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.includes(name)) {
      const expected = PARAMETERS.map(one => `'${one}'`).join(', ');
      throw refused(231, { value: name.slice(0, 100), expected });
    }
    if (query.getAll(name).length > 1) throw refused(232, { value: name });
  }
  const value = (name: string) => query.get(name)?.slice(0, 100) || undefined;
  const [before, since, key, limit = String(defaultLimit)] = PARAMETERS.map(value);
  if (!/^\d{1,9}$/.test(limit)) throw refused(244, { value: limit });
  if (Number(limit) < 1 || Number(limit) > maxLimit) throw refused(233, { value: limit, limit: maxLimit });
  if (before !== undefined && !/^\d{1,15}$/.test(before)) throw refused(230, { value: `before=${before}` });
  if (since !== undefined && !isTime(since)) throw refused(241, { value: since, field: 'since' });
  return {
    query,
    before: before === undefined ? undefined : Number(before),
    since: since === undefined ? undefined : Date.parse(since),
    key,
    limit: Number(limit),
  };
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text));
}
