import type { IncomingHttpHeaders } from 'node:http';
import { type Operation, WIRE } from '@tollgate/edge-api';
import { ApiError, refused } from '../api/api-error.ts';
import type { Principal, Scope } from '../security/principal.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** Checks the version header. @throws ApiError */
export function checkVersion(
  headers: IncomingHttpHeaders,
  { versionHeaders }: Pick<ServerSettings, 'versionHeaders'>,
): void {
  const name = versionHeaders.find(header => headers[header.toLowerCase()] !== undefined);
  if (name === undefined) throw refused(218, { expected: versionHeaders[0] ?? WIRE.versionHeader });
  const value = String(headers[name.toLowerCase()]);
  if (value !== WIRE.version) throw refused(217, { value: value.slice(0, 100) });
}

/** Checks that there is a body only if the operation may have one, and its content type. @throws ApiError */
export function checkContent(headers: IncomingHttpHeaders, { request, verb }: Operation): void {
  const length = headers['content-length'];
  const hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) {
    // Clients may declare a type without a body (part B, section 8.1), which the framework would reject.
    // Deleting the header instead would make all other headers slow to read.
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    return;
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  // Clients send an empty object with a deletion, which has no parameters of its own; nothing else is read there.
  const isRead = verb === 'DELETE' && encoding.toLowerCase() === 'identity' && isJson(headers['content-type'] ?? '');
  if (request === null && !isRead) throw refused(211);
  if (encoding.toLowerCase() !== 'identity') {
    throw refused(212, { value: `it is encoded as '${encoding.slice(0, 100)}'; send it unencoded` });
  }
  const type = headers['content-type'];
  if (type === undefined) throw refused(216);
  if (!isJson(type)) throw refused(210, { value: type.slice(0, 100) });
}

function isJson(type: string): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map(one => one.trim()).find(one => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return essence.trim() === WIRE.contentType && isUtf8;
}

/** Returns the scope that an operation requires. Only administrators may manage keys. */
export function scopeOf({ verb, record, field }: Pick<Operation, 'verb' | 'record' | 'field'>): Scope {
  if (record === 'api_key') return 'admin';
  if (verb !== 'GET' && (field === 'policy' || field === 'traffic_policy')) return 'policy';
  return verb === 'GET' ? 'read' : 'write';
}

/** @throws ApiError unless the key has the scope */
export function checkScope({ scopes }: Principal, scope: Scope): void {
  if (!scopes.includes(scope)) throw refused(205, { expected: scope });
}

const IN_EDGES: ReadonlySet<string> = new Set(['https_edge', 'https_edge_route', 'tls_edge', 'tcp_edge']);

/** Checks that a key which is limited to some edges uses only these; lists show nothing else. @throws ApiError */
export function checkEdge(
  { edges }: Principal,
  { record, kind }: Pick<Operation, 'record' | 'kind'>,
  path: Readonly<Record<string, string | undefined>>,
): void {
  if (!edges || (kind === 'list' && IN_EDGES.has(record))) return;
  const id = path.edge_id ?? path.id;
  if (!IN_EDGES.has(record) || id === undefined || !edges.has(id)) {
    throw new ApiError({ kind: 'plain', error: 'other-edge' });
  }
}
