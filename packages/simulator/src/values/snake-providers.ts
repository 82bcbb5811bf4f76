import { requestCookiesByName, responseCookiesByName } from '../message/cookies-by-name.ts';
import { SNAKE_CASE } from '../message/dialect.ts';
import type { HeaderName } from '../message/header-name.ts';
import { readMediaType } from '../message/media-type.ts';
import { firstIn } from '../state/recorded-state.ts';
import { clientIpOf, type RequestState, type ResponseState, timeOf } from '../state/traffic-state.ts';
import { CONNECTION_PROVIDERS } from './connection-providers.ts';
import { mapKnown, maybeAbsent, notRecorded, type Provide, type Providers } from './provide.ts';
import { requestLength, responseLength, stringsOf } from './read-message.ts';
import { URL_PROVIDERS } from './url-providers.ts';
import { USER_AGENT_PROVIDERS } from './user-agent-providers.ts';

const REQUEST = {
  cookie: SNAKE_CASE.requestHeader('cookie'),
  location: SNAKE_CASE.requestHeader('location'),
  type: SNAKE_CASE.requestHeader('content-type'),
  encoding: SNAKE_CASE.requestHeader('content-encoding'),
};

const RESPONSE = {
  setCookie: SNAKE_CASE.responseHeader('set-cookie'),
  location: SNAKE_CASE.responseHeader('location'),
  type: SNAKE_CASE.responseHeader('content-type'),
  encoding: SNAKE_CASE.responseHeader('content-encoding'),
};

/** Variables of the profiles with names in snake case. */
export const SNAKE_PROVIDERS: Providers = {
  'conn.client_ip': clientIpOf,
  ...CONNECTION_PROVIDERS,
  ...notRecorded('conn.server_region', 'conn.bytes_in', 'conn.bytes_out', 'conn.tls.session_resumed'),
  ...maybeAbsent('conn.end_ts'),
  'time.now': state => mapKnown(timeOf(state), now => new Date(now).toISOString().replace(/\.000Z$/, 'Z')),
  vars: state => state.vars,
  'req.method': state => state.request.method,
  'req.host': state => state.request.host,
  'req.version': state => state.request.protocol,
  'req.headers': state => state.request.headers,
  'req.location': state => firstIn(state.request, REQUEST.location) ?? '',
  'req.cookies': ({ request }) => mapKnown(stringsOf(request, REQUEST.cookie), requestCookiesByName),
  'req.content_length': requestLength,
  'req.ts.header_received': state => mapKnown(timeOf(state), now => new Date(now)),
  ...maybeAbsent('req.ts.body_received'),
  ...notRecorded('req.trailers', 'res.trailers'),
  ...URL_PROVIDERS,
  ...USER_AGENT_PROVIDERS,
  'res.status_code': state => state.response.status,
  'res.headers': state => state.response.headers,
  'res.location': state => firstIn(state.response, RESPONSE.location) ?? '',
  'res.cookies': ({ response }) => mapKnown(stringsOf(response, RESPONSE.setCookie), responseCookiesByName),
  'res.content_length': responseLength,
  ...contentProviders('req', state => state.request, REQUEST),
  ...contentProviders('res', state => state.response, RESPONSE),
};

type MessageOf = (state: Parameters<Provide>[0]) => RequestState | ResponseState;

interface ContentHeaders {
  readonly type: HeaderName;
  readonly encoding: HeaderName;
}

function contentProviders(owner: 'req' | 'res', messageOf: MessageOf, { type, encoding }: ContentHeaders): Providers {
  const raw: Provide = state => firstIn(messageOf(state), type) ?? '';
  const media = (pick: (text: string) => unknown): Provide => {
    return state => mapKnown(raw(state) as string, pick);
  };
  return {
    [`${owner}.content_type`]: media(text => readMediaType(text).type),
    [`${owner}.content_type.raw`]: raw,
    [`${owner}.content_type.parameters`]: media(text => readMediaType(text).parameters),
    [`${owner}.content_encoding`]: state =>
      mapKnown(stringsOf(messageOf(state), encoding), texts =>
        texts.flatMap(text => text.split(',')).flatMap(text => (text.trim() === '' ? [] : [text.trim()])),
      ),
  };
}

/** Paths that no recording contains, with everything below: address details, certificates, the endpoint, Kubernetes. */
export const NOT_RECORDED_BELOW: readonly string[] = [
  ...['conn.client_ip', 'conn.server_ip', 'conn.geo', 'conn.k8s', 'endpoint'],
  ...['conn.tls.client', 'conn.tls.server'],
];
