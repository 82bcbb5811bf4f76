import type { Profile } from '@tollgate/catalog';

/** The counterpart of a variable in the new profile. */
interface Counterpart {
  /** A path of the new profile. */
  readonly to: string;
  /** CEL source of the old value for the case that the new variable is absent. */
  readonly otherwise?: string;
  /** The code and reason of a loss. */
  readonly loss?: { readonly code: string; readonly why: string };
}

const SERVER_SIDE = {
  code: 'migrate/server-tls',
  why: 'it describes the connection to the upstream, its counterpart the one from the client',
} as const;

const TERMINATED = {
  code: 'migrate/terminate-tls',
  why: 'it requires an earlier `terminate-tls` action',
} as const;

/** The counterparts of a profile's variables. */
export interface Counterparts {
  readonly variables: Readonly<Record<string, Counterpart>>;
  /** Whether all other variables stay the same. */
  readonly keepsOthers: boolean;
}

/** Counterparts of `edge-v2` variables in `modern`. */
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

/** Renamed variables of `edge-v2-snake` in `modern`. */
const SNAKE_TO_MODERN: Readonly<Record<string, Counterpart>> = { 'conn.start_ts': { to: 'conn.ts.start' } };

/** Returns the counterparts of a profile's variables in `modern`. */
export function counterpartsOf({ name }: Profile): Counterparts {
  if (name === 'edge-v2') return { variables: EDGE_V2_TO_MODERN, keepsOthers: false };
  return { variables: SNAKE_TO_MODERN, keepsOthers: true };
}

/** Renamed fields of cookies. Those like `Secure` exist only in response cookies. */
export const COOKIE_FIELDS: Readonly<Record<string, { readonly to: string; readonly isOfRequests?: true }>> = {
  Name: { to: 'name', isOfRequests: true },
  Value: { to: 'value', isOfRequests: true },
  Path: { to: 'path' },
  Domain: { to: 'domain' },
  Expires: { to: 'expires' },
  Secure: { to: 'secure' },
  HttpOnly: { to: 'http_only' },
};

/** Maps whose keys are canonical in the old profile and lowercase in the new one. */
export const HEADER_MAPS: ReadonlySet<string> = new Set(['req.Headers', 'req.Trailers', 'res.Headers', 'res.Trailers']);

/** Functions that take a header name: canonical in the old profile, in any case in the new one. */
export const HEADER_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['hasReqHeader', 'getReqHeader', 'hasResHeader', 'getResHeader'],
]);

/** Lists in the old profile, maps of lists in the new one. */
export const COOKIE_LISTS: ReadonlySet<string> = new Set(['req.Cookies', 'res.Cookies']);

/** `TLS 1.3` in the old profile, `1.3` in the new one. */
export const TLS_VERSIONS: ReadonlySet<string> = new Set([
  ...['req.ClientTLS.Version', 'conn.TLS.Version', 'res.ServerTLS.Version'],
]);

/** A string of three digits in the old profile, a number in the new one. */
export const STATUS = 'res.StatusCode';
