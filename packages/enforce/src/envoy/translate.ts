// From Envoy's messages to exchanges, and from decisions to what Envoy is to change.

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type ConnectionFacts,
  type Exchange,
  exchangeOf,
  type GeoFacts,
  isAuthority,
  NO_HEADER_KNOWN,
  normalizeAddress,
  type RecordField,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TlsFacts,
} from '@tollgate/traffic';
import { sentBody } from '../bodies.ts';
import { DECIDED_WITH_TOKENS, type Host } from '../host.ts';
import type { Answer, ForwardedRequest, HeaderChanges, SentResponse } from '../wire.ts';
import {
  type AttributeContext,
  type CheckResponse,
  CheckResponseSchema,
  type HeaderMap,
  type HeaderMutationSchema,
  type HeaderValueOptionSchema,
  type ProcessingRequest,
  type ProcessingResponse,
  ProcessingResponseSchema,
} from './messages.ts';

/** The attribute with the name that a client of TLS asks for. */
export const SERVER_NAME = 'connection.requested_server_name';

/** Envoy's attributes, by the recorded field that each of them says. */
export const ATTRIBUTE_OF: Readonly<Partial<Record<RecordField, string>>> = {
  client_ip: 'source.address',
  client_port: 'source.address',
  server_ip: 'destination.address',
  server_port: 'destination.address',
  protocol: 'request.protocol',
  tls_version: 'connection.tls_version',
  server_name: SERVER_NAME,
};

/**
 * Envoy with this process as its external processor. It sees requests as Envoy hands them on: names of headers in lower case, and with the headers that
 * Envoy itself sets, such as `x-forwarded-proto`.
 */
export const ENVOY_HOST: Host = {
  name: 'Envoy',
  fields: new Set<RecordField>([
    ...(Object.keys(ATTRIBUTE_OF) as RecordField[]),
    ...([
      'time',
      'method',
      'url',
      'scheme',
      'host',
      'target',
      'request_headers',
      'status',
      'response_headers',
    ] as const),
  ]),
  actions: new Set([...DECIDED_WITH_TOKENS].filter(action => action !== 'close-connection')),
  closesConnections: false,
  maxStatus: 599,
};

/** Envoy's network filter for external authorization, for policies of TCP and TLS endpoints: it knows the connection, and closes it. */
export const ENVOY_CONNECTION_HOST: Host = {
  name: 'the filter of Envoy for connections',
  fields: new Set<RecordField>(['time', 'client_ip', 'client_port', 'server_ip', 'server_port', 'server_name']),
  actions: new Set(['close-connection', 'deny', 'log', 'rate-limit', 'restrict-ips', 'set-vars']),
  closesConnections: true,
  // Nothing is sent.
  maxStatus: 999,
};

/** A request that Envoy has sent, or why it is answered with 400. */
export type LiveRequest = { readonly exchange: Exchange } | { readonly fault: string };

/**
 * Returns the exchange of a request.
 * @param configured the attributes that Envoy is configured to send: one of these that is missing is known to be empty
 */
export function liveRequest(
  headers: HeaderMap | undefined,
  attributes: ProcessingRequest['attributes'],
  configured: ReadonlySet<string>,
  locate?: (address: string) => GeoFacts | undefined,
): LiveRequest {
  const fields = fieldsOf(headers);
  const pseudo = (name: string) => fields.find(field => field.name === name)?.value;
  const authority = pseudo(':authority');
  // Two of them are one text here, and which of them counts is not defined (RFC 9112, section 3.2).
  if (authority?.includes(',')) return { fault: 'more than one Host header' };
  if (!authority || !isAuthority(authority)) return { fault: 'no valid host' };
  const said = (name: string) => (configured.has(name) ? (textAttribute(attributes, name) ?? '') : undefined);
  const client = addressAndPort(said('source.address'));
  const server = addressAndPort(said('destination.address'));
  const scheme = pseudo(':scheme') === 'https' ? 'https' : 'http';
  // A character for each byte, as Node has them.
  const rawHeaders = fields.flatMap(({ name, value }) => [
    name,
    ASCII.test(value) ? value : Buffer.from(value).toString('latin1'),
  ]);
  const exchange = exchangeOf(
    { method: pseudo(':method'), url: pseudo(':path'), rawHeaders },
    { clientIp: client.address, scheme },
  );
  const connection: ConnectionFacts = {
    ...{ clientPort: client.port, serverIp: server.address, serverPort: server.port },
  };
  const tls: TlsFacts = {
    // `TLSv1.3` there, `TLS 1.3` here.
    version: said('connection.tls_version')
      ?.replace(/^TLSv(?=\d)/, 'TLS ')
      .replace(/^TLS 1$/, 'TLS 1.0'),
    cipherSuite: undefined,
    serverName: said(SERVER_NAME),
  };
  // `HTTP/2` there, `HTTP/2.0` here.
  const protocol = said('request.protocol')?.replace(/^HTTP\/(\d)$/, 'HTTP/$1.0');
  const geo = client.address === undefined ? undefined : locate?.(client.address);
  return { exchange: { ...exchange, time: Date.now(), ...{ scheme, protocol, connection, tls }, ...(geo && { geo }) } };
}

/**
 * Returns the exchange of a connection that a client has opened.
 * @param seesNames whether Envoy is configured to send the name that a client of TLS asks for
 */
export function liveConnection(
  { source, destination, tlsSession }: AttributeContext,
  seesNames: boolean,
  locate?: (address: string) => GeoFacts | undefined,
): Exchange {
  const client = source?.address?.socketAddress;
  const server = destination?.address?.socketAddress;
  const clientIp = client && normalizeAddress(client.address);
  const geo = clientIp === undefined ? undefined : locate?.(clientIp);
  return {
    place: { file: 'live', number: 1, unit: 'entry' },
    time: Date.now(),
    ...{ clientIp, method: undefined, target: undefined, url: undefined, protocol: undefined, response: undefined },
    connection: {
      clientPort: client?.portValue,
      serverIp: server && normalizeAddress(server.address),
      serverPort: server?.portValue,
    },
    tls: { ...TLS_UNKNOWN, serverName: seesNames ? (tlsSession?.sni ?? '') : undefined },
    requestHeaders: NO_HEADER_KNOWN,
    ...(geo && { geo }),
  };
}

/** Returns the message that lets a connection pass, or closes it. */
export function checkMessage(isAllowed: boolean): CheckResponse {
  return create(CheckResponseSchema, { status: { code: isAllowed ? 0 : PERMISSION_DENIED } });
}

/** A status of gRPC. */
const PERMISSION_DENIED = 7;

/** Returns what the upstream has responded, or Envoy in its place. */
export function liveResponse(headers: HeaderMap | undefined): ResponseFacts {
  const fields = fieldsOf(headers);
  const status = Number(fields.find(({ name }) => name === ':status')?.value);
  const own = fields.filter(({ name }) => !name.startsWith(':'));
  return { status, headers: { ...NO_HEADER_KNOWN, fields: own, complete: true }, bodySize: undefined };
}

function fieldsOf(headers: HeaderMap | undefined) {
  return (headers?.headers ?? []).map(({ key, value, rawValue }) => ({
    name: key,
    value: rawValue.length > 0 ? textOf(rawValue) : value,
  }));
}

/** Returns the text of bytes: UTF-8, or Latin-1 where they are not. */
function textOf(bytes: Uint8Array): string {
  // What most headers are, decoded several times faster.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (ASCII.test(text)) return text;
  try {
    return UTF8.decode(bytes);
  } catch {
    return LATIN1.decode(bytes);
  }
}

const ASCII = /^[\0-\x7f]*$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LATIN1 = new TextDecoder('latin1');
const BYTES = new TextEncoder();

/** Attributes come in one structure per filter. */
function textAttribute(attributes: ProcessingRequest['attributes'], name: string): string | undefined {
  for (const structure of Object.values(attributes)) {
    const value = structure[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Reads `127.0.0.1:80` and `[::1]:80`. */
function addressAndPort(text: string | undefined): { readonly address?: string | undefined; readonly port?: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(text ?? '') ?? [];
  const address = bracketed ?? plain;
  return address === undefined ? {} : { address: normalizeAddress(address), port: Number(port) };
}

/** Returns the message that lets a request pass, changed as decided. */
export function forwardedMessage({ target, headers }: ForwardedRequest): ProcessingResponse {
  const path = target === undefined ? [] : [headerOption(':path', target, false)];
  return create(ProcessingResponseSchema, {
    response: {
      case: 'requestHeaders',
      value: { response: { headerMutation: mutation(headers, path), clearRouteCache: target !== undefined } },
    },
  });
}

/** Returns the message that sends an answer instead of what the upstream would send or has sent. */
export function answerMessage(answer: Answer): ProcessingResponse {
  const { status, fields } = answer;
  const own = fields.filter(({ name }) => !FRAMING.has(name.toLowerCase()));
  const seen = new Set<string>();
  const setHeaders = own.map(({ name, value }) => {
    const key = name.toLowerCase();
    const isRepeated = seen.has(key);
    seen.add(key);
    return headerOption(key, value, isRepeated);
  });
  return create(ProcessingResponseSchema, {
    response: {
      case: 'immediateResponse',
      value: {
        status: { code: status },
        headers: { setHeaders },
        body: BYTES.encode(sentBody(answer)),
        details: 'tollgate',
      },
    },
  });
}

/** Envoy knows how long its answer is. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** Returns the message about a response: as it came, changed, or another one. */
export function responseMessage(sent: SentResponse, status: number | undefined): ProcessingResponse {
  if (sent.kind === 'answer') return answerMessage(sent.answer);
  // A host that cannot close connections refuses policies that do.
  if (sent.kind === 'closed') return answerMessage({ status: 500, fields: [], body: '' });
  const changed = sent.status === status ? [] : [headerOption(':status', String(sent.status), false)];
  return create(ProcessingResponseSchema, {
    response: { case: 'responseHeaders', value: { response: { headerMutation: mutation(sent.headers, changed) } } },
  });
}

function mutation(
  changes: HeaderChanges,
  more: readonly HeaderOption[],
): MessageInitShape<typeof HeaderMutationSchema> {
  const removed = [...changes].filter(([, { keeps, added }]) => !keeps && added.length === 0);
  const setHeaders = [...changes].flatMap(([name, { keeps, added }]) =>
    added.map((value, at) => headerOption(name, value, keeps || at > 0)),
  );
  return { removeHeaders: removed.map(([name]) => name), setHeaders: [...more, ...setHeaders] };
}

type HeaderOption = MessageInitShape<typeof HeaderValueOptionSchema>;

/** Without `append`, a value takes the place of all others; Envoy 1.40 ignores the newer `append_action`. */
function headerOption(key: string, value: string, append: boolean): HeaderOption {
  return { header: { key, rawValue: BYTES.encode(value) }, append, keepEmptyValue: true };
}
