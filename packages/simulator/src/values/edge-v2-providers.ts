import { queryParams } from '@tollgate/traffic';
import { requestCookies, responseCookies } from '../message/cookies.ts';
import { CAPITALISED } from '../message/dialect.ts';
import { firstIn } from '../state/recorded-state.ts';
import { clientIpOf } from '../state/traffic-state.ts';
import { decodedPathIn, splitUrl } from '../url/split-url.ts';
import { ifRecorded, mapKnown, notRecorded, type Providers } from './provide.ts';
import { requestLength, responseLength, stringsOf } from './read-message.ts';

const COOKIE = CAPITALISED.requestHeader('Cookie');
const REQUEST_LOCATION = CAPITALISED.requestHeader('Location');
const SET_COOKIE = CAPITALISED.responseHeader('Set-Cookie');
const RESPONSE_LOCATION = CAPITALISED.responseHeader('Location');

/** Variables of the profile with capitalized names. */
export const EDGE_V2_PROVIDERS: Providers = {
  'conn.ClientIP': clientIpOf,
  ...tlsProviders('conn.TLS'),
  ...tlsProviders('req.ClientTLS'),
  'req.ContentLength': state => requestLength(state) ?? -1,
  'req.Cookies': ({ request }) => mapKnown(stringsOf(request, COOKIE), requestCookies),
  'req.Headers': state => state.request.headers,
  'req.Host': state => state.request.host,
  'req.Location': state => firstIn(state.request, REQUEST_LOCATION) ?? '',
  'req.Method': state => state.request.method,
  'req.Params': state => mapKnown(state.request.target, target => queryParams(splitUrl(target).query ?? '')),
  'req.Path': state => mapKnown(state.request.target, decodedPathIn),
  'req.Protocol': state => state.request.protocol,
  'req.URL': state => state.request.url,
  'res.ContentLength': state => responseLength(state) ?? -1,
  'res.Cookies': ({ response }) => mapKnown(stringsOf(response, SET_COOKIE), responseCookies),
  'res.Headers': state => state.response.headers,
  'res.Location': state => firstIn(state.response, RESPONSE_LOCATION) ?? '',
  'res.StatusCode': state => mapKnown(state.response.status, String),
  ...notRecorded('req.Trailers', 'res.Trailers'),
  ...notRecorded('res.ServerTLS.CertCN', 'res.ServerTLS.CipherSuite', 'res.ServerTLS.SNI', 'res.ServerTLS.Version'),
};

function tlsProviders(path: string): Providers {
  const recorded = { CertCN: 'clientName', CipherSuite: 'cipherSuite', SNI: 'serverName', Version: 'version' } as const;
  const rows = Object.entries(recorded);
  return Object.fromEntries(
    rows.map(([name, field]) => ifRecorded(`${path}.${name}`, ({ exchange }) => exchange.tls[field])),
  );
}
