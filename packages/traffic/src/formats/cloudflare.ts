/** JSON logs of Cloudflare. */
import { readServerLog, type ServerNames } from '../records/json-lines.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/**
 * The data set `http_requests`. Fields whose meaning differs from their name are left out: `ClientRequestPath` has no query,
 * `EdgeResponseBytes` includes headers.
 */
export const CLOUDFLARE_NAMES: ServerNames = {
  paths: {
    time: ['EdgeStartTimestamp'],
    client_ip: ['ClientIP'],
    client_port: ['ClientSrcPort'],
    server_ip: ['EdgeServerIP'],
    method: ['ClientRequestMethod'],
    scheme: ['ClientRequestScheme'],
    host: ['ClientRequestHost'],
    target: ['ClientRequestURI'],
    protocol: ['ClientRequestProtocol'],
    tls_version: ['ClientSSLProtocol'],
    tls_cipher: ['ClientSSLCipher'],
    ja4: ['JA4'],
    user_agent: ['ClientRequestUserAgent'],
    referer: ['ClientRequestReferer'],
    request_headers: ['RequestHeaders'],
    status: ['EdgeResponseStatus'],
    response_size: ['EdgeResponseBodyBytes'],
    response_headers: ['ResponseHeaders'],
    'response_headers.Content-Type': ['EdgeResponseContentType'],
    country: ['ClientCountry'],
    region: ['ClientRegionName'],
    city: ['ClientCity'],
    latitude: ['ClientLatitude'],
    longitude: ['ClientLongitude'],
    asn: ['ClientASN'],
  },
  missing: [''],
};

/** Requests that Cloudflare pushes, one JSON object per line. */
export const CLOUDFLARE = {
  name: 'cloudflare',
  title: 'Cloudflare Logpush JSON',
  detect: head =>
    sureOfDialect(head, one => 'ClientRequestHost' in one || 'ClientRequestURI' in one || 'EdgeStartTimestamp' in one),
  read: (bytes, file, { limits, mapping }) => readServerLog({ bytes, file, ...limits }, CLOUDFLARE_NAMES, mapping),
} as const satisfies FormatDescription;
