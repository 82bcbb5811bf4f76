import { timeOf } from '../decide/traffic-state.ts';
import { requestCookiesByName, responseCookiesByName } from '../message/cookies-by-name.ts';
import { firstHeader, type HeaderMap } from '../message/header-map.ts';
import { readMediaType } from '../message/media-type.ts';
import { CONNECTION_PROVIDERS } from './connection-providers.ts';
import { mapKnown, maybeAbsent, notRecorded, type Provide, type Providers } from './provide.ts';
import { requestLength, responseLength, textsOf } from './read-message.ts';
import { URL_PROVIDERS } from './url-providers.ts';
import { USER_AGENT_PROVIDERS } from './user-agent-providers.ts';

/** The variables of the profiles whose names are in snake case. */
export const SNAKE_PROVIDERS: Providers = {
  'conn.client_ip': state => state.clientIp,
  ...CONNECTION_PROVIDERS,
  ...notRecorded('conn.server_region', 'conn.bytes_in', 'conn.bytes_out', 'conn.tls.session_resumed'),
  ...maybeAbsent('conn.end_ts'),
  'time.now': state => mapKnown(timeOf(state), now => new Date(now).toISOString().replace(/\.000Z$/, 'Z')),
  vars: state => state.vars,
  'req.method': state => state.request.method,
  'req.host': state => state.request.host,
  'req.version': state => state.request.protocol,
  'req.headers': state => state.request.headers,
  'req.location': state => firstHeader(state.request.headers, 'location') ?? '',
  'req.cookies': ({ request }) => mapKnown(textsOf(request.headers, 'cookie'), requestCookiesByName),
  'req.content_length': requestLength,
  'req.ts.header_received': state => mapKnown(timeOf(state), now => new Date(now)),
  ...maybeAbsent('req.ts.body_received'),
  ...notRecorded('req.trailers', 'res.trailers'),
  ...URL_PROVIDERS,
  ...USER_AGENT_PROVIDERS,
  'res.status_code': state => state.response.status,
  'res.headers': state => state.response.headers,
  'res.location': state => firstHeader(state.response.headers, 'location') ?? '',
  'res.cookies': ({ response }) => mapKnown(textsOf(response.headers, 'set-cookie'), responseCookiesByName),
  'res.content_length': responseLength,
  ...contentProviders('req', state => state.request.headers),
  ...contentProviders('res', state => state.response.headers),
};

function contentProviders(owner: 'req' | 'res', headersOf: (state: Parameters<Provide>[0]) => HeaderMap): Providers {
  const raw: Provide = state => firstHeader(headersOf(state), 'content-type') ?? '';
  const media = (pick: (text: string) => unknown): Provide => {
    return state => mapKnown(raw(state) as string, pick);
  };
  return {
    [`${owner}.content_type`]: media(text => readMediaType(text).type),
    [`${owner}.content_type.raw`]: raw,
    [`${owner}.content_type.parameters`]: media(text => readMediaType(text).parameters),
    [`${owner}.content_encoding`]: state =>
      mapKnown(textsOf(headersOf(state), 'content-encoding'), texts =>
        texts.flatMap(text => text.split(',')).flatMap(text => (text.trim() === '' ? [] : [text.trim()])),
      ),
  };
}

/** What no recording holds, with all below it: where addresses are and whose, certificates, the endpoint, Kubernetes. */
export const NOT_RECORDED_BELOW: readonly string[] = [
  ...['conn.client_ip', 'conn.server_ip', 'conn.geo', 'conn.k8s', 'endpoint'],
  ...['conn.tls.client', 'conn.tls.server'],
];
