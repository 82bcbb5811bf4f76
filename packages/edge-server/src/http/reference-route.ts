import { openApiDocument } from '@tollgate/edge-api';
import type { FastifyInstance } from 'fastify';
import { referencePage } from '../reference/reference-page.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** The page loads no other resources. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Adds the OpenAPI document and its HTML page, both built on first use. */
export function addReference(app: FastifyInstance, settings: ServerSettings): void {
  const { publicUrl, basePath, versionHeaders } = settings;
  const server = publicUrl === '' ? (basePath === '' ? '/' : basePath) : publicUrl;
  const [versionHeader = ''] = versionHeaders;
  const describe = () => openApiDocument({ server, versionHeader });
  const json = memoized(() => JSON.stringify(describe()));
  const html = memoized(() => referencePage(describe()));
  app.get('/openapi.json', async (_, reply) => reply.type('application/json').send(json()));
  app.get('/docs', async (_, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
      .type('text/html; charset=utf-8')
      .send(html()),
  );
}

function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
