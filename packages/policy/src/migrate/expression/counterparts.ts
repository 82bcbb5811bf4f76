import type { Profile } from '@tollgate/catalog';

/** What a variable of the old profile is in the new one. */
export interface Counterpart {
  /** A path of the new profile. */
  readonly to: string;
  /** CEL source of what the old one gives where the new one has no value. */
  readonly otherwise?: string;
  /** The code of what is lost, and why. */
  readonly loss?: { readonly code: string; readonly why: string };
}

const SERVER_SIDE = {
  code: 'migrate/server-tls',
  why: 'it tells of the connection to the upstream, its counterpart of that of the client',
} as const;

const TERMINATED = {
  code: 'migrate/terminate-tls',
  why: 'it needs an action `terminate-tls` before it',
} as const;

/** What became of the variables of a profile. */
export interface Counterparts {
  readonly variables: Readonly<Record<string, Counterpart>>;
  /** All other variables are the same. */
  readonly keepsOthers: boolean;
}

/** The variables of `edge-v2` in `modern`. */
const EDGE_V2_TO_MODERN: Readonly<Record<string, Counterpart>> = {
  'conn.ClientIP': { to: 'conn.client_ip' },
  'conn.Geo.CountryCode': { to: 'conn.geo.country_code' },
  'conn.Geo.Latitude': { to: 'conn.geo.latitude' },
  'conn.Geo.Longitude': { to: 'conn.geo.longitude' },
  'conn.Geo.LatLongRadiusKm': { to: 'conn.geo.radius' },
  'conn.TLS.CertCN': {
    to: 'actions.ngrok.terminate_tls.client.subject.common_name',
    otherwise: '""',
    loss: TERMINATED,
  },
  'conn.TLS.CipherSuite': { to: 'actions.ngrok.terminate_tls.cipher_suite', loss: TERMINATED },
  'conn.TLS.SNI': { to: 'actions.ngrok.terminate_tls.sni', loss: TERMINATED },
  'conn.TLS.Version': { to: 'actions.ngrok.terminate_tls.version', loss: TERMINATED },
  'req.ClientTLS.CertCN': { to: 'conn.tls.client.subject.common_name', otherwise: '""' },
  'req.ClientTLS.CipherSuite': { to: 'conn.tls.cipher_suite' },
  'req.ClientTLS.SNI': { to: 'conn.tls.sni' },
  'req.ClientTLS.Version': { to: 'conn.tls.version' },
  'req.Method': { to: 'req.method' },
  'req.URL': { to: 'req.url' },
  'req.Path': { to: 'req.url.path' },
  'req.Params': { to: 'req.url.query_params' },
  'req.Protocol': { to: 'req.version' },
  'req.Host': { to: 'req.host' },
  'req.Location': { to: 'req.location' },
  'req.Headers': { to: 'req.headers' },
  'req.Trailers': { to: 'req.trailers' },
  'req.Cookies': { to: 'req.cookies' },
  'req.ContentLength': { to: 'req.content_length', otherwise: '-1' },
  'res.StatusCode': { to: 'res.status_code' },
  'res.Headers': { to: 'res.headers' },
  'res.Trailers': { to: 'res.trailers' },
  'res.Cookies': { to: 'res.cookies' },
  'res.ContentLength': { to: 'res.content_length', otherwise: '-1' },
  'res.Location': { to: 'res.location' },
  'res.ServerTLS.CertCN': { to: 'conn.tls.server.subject.common_name', otherwise: '""', loss: SERVER_SIDE },
  'res.ServerTLS.CipherSuite': { to: 'conn.tls.cipher_suite', loss: SERVER_SIDE },
  'res.ServerTLS.SNI': { to: 'conn.tls.sni', loss: SERVER_SIDE },
  'res.ServerTLS.Version': { to: 'conn.tls.version', loss: SERVER_SIDE },
};

/** The variables of `edge-v2-snake` that have another name in `modern`. */
const SNAKE_TO_MODERN: Readonly<Record<string, Counterpart>> = { 'conn.start_ts': { to: 'conn.ts.start' } };

/** What became of the variables of a profile in `modern`. */
export function counterpartsOf({ name }: Profile): Counterparts {
  if (name === 'edge-v2') return { variables: EDGE_V2_TO_MODERN, keepsOthers: false };
  return { variables: SNAKE_TO_MODERN, keepsOthers: true };
}

/** The fields of cookies that are the same under another name. `Secure` and the like are of response cookies only. */
export const COOKIE_FIELDS: Readonly<Record<string, { readonly to: string; readonly isOfRequests?: true }>> = {
  Name: { to: 'name', isOfRequests: true },
  Value: { to: 'value', isOfRequests: true },
  Path: { to: 'path' },
  Domain: { to: 'domain' },
  Expires: { to: 'expires' },
  Secure: { to: 'secure' },
  HttpOnly: { to: 'http_only' },
};

/** Maps whose keys are in canonical form in the old profile and in lower case in the new one. */
export const HEADER_MAPS: ReadonlySet<string> = new Set(['req.Headers', 'req.Trailers', 'res.Headers', 'res.Trailers']);

/** Functions that take the name of a header: in canonical form in the old profile, in any case in the new one. */
export const HEADER_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['hasReqHeader', 'getReqHeader', 'hasResHeader', 'getResHeader'],
]);

/** Lists of cookies in the old profile, maps of lists in the new one. */
export const COOKIE_LISTS: ReadonlySet<string> = new Set(['req.Cookies', 'res.Cookies']);

/** `TLS 1.3` in the old profile, `1.3` in the new one. */
export const TLS_VERSIONS: ReadonlySet<string> = new Set([
  ...['req.ClientTLS.Version', 'conn.TLS.Version', 'res.ServerTLS.Version'],
]);

/** A text of three digits in the old profile, a number in the new one. */
export const STATUS = 'res.StatusCode';
