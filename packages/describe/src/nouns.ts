// What variables are called in sentences. A noun is made from the parts of a path, so that each variable of the catalog has one, and
// two variables of a profile never have the same.

/** Nouns of paths, without an article. */
const NOUNS: Readonly<Record<string, string>> = {
  'conn.ClientIP': 'client address',
  'conn.client_ip': 'client address',
  'conn.server_ip': 'edge address',
  'conn.client_port': 'client port',
  'conn.server_port': 'edge port',
  'conn.server_region': 'region of the edge',
  'conn.bytes_in': 'number of bytes received on the connection',
  'conn.bytes_out': 'number of bytes sent on the connection',
  'conn.ts.start': 'start of the connection',
  'conn.start_ts': 'start time of the connection',
  'conn.end_ts': 'end time of the connection',
  'conn.Geo': 'client location',
  'conn.geo': 'client location',
  'conn.client_ip.geo.location': 'client address',
  'conn.server_ip.geo.location': 'edge address',
  'conn.client_ip.as': 'network of the client address',
  'conn.server_ip.as': 'network of the edge address',
  'conn.client_ip.geo.registered_location': 'registered location of the client address',
  'conn.server_ip.geo.registered_location': 'registered location of the edge address',
  'conn.tls': 'TLS connection',
  'conn.tls.version': 'TLS version',
  'conn.tls.sni': 'TLS server name',
  'conn.tls.client': 'client certificate',
  'conn.tls.server': 'edge certificate',
  'conn.TLS': 'TLS connection',
  'conn.TLS.Version': 'TLS version',
  'conn.TLS.SNI': 'TLS server name',
  'conn.TLS.CertCN': 'common name of the client certificate',
  'req.ClientTLS': 'TLS connection of the request',
  'res.ServerTLS': 'TLS connection to the upstream',
  'conn.k8s.pod': 'Kubernetes pod',
  'conn.k8s.pod.metadata': 'metadata of the Kubernetes pod',
  'req.method': 'method',
  'req.Method': 'method',
  'req.url': 'URL',
  'req.URL': 'URL',
  'req.url.path': 'path',
  'req.Path': 'path',
  'req.url.raw': 'URL as sent',
  'req.url.raw_path': 'path as sent',
  'req.url.uri': 'path and query',
  'req.url.query': 'query',
  'req.url.query_params': 'query parameters',
  'req.Params': 'query parameters',
  'req.url.user_password': 'user name and password of the URL',
  'req.host': 'host',
  'req.Host': 'host',
  'req.headers': 'request headers',
  'req.Headers': 'request headers',
  'req.trailers': 'request trailers',
  'req.Trailers': 'request trailers',
  'req.cookies': 'request cookies',
  'req.Cookies': 'request cookies',
  'req.content_length': 'length of the request body',
  'req.ContentLength': 'length of the request body',
  'req.content_type': 'media type of the request',
  'req.content_encoding': 'content encodings of the request',
  'req.location': 'Location header of the request',
  'req.Location': 'Location header of the request',
  'req.version': 'HTTP version',
  'req.Protocol': 'HTTP version',
  'req.user_agent': 'user agent',
  'req.ts.header_received': 'arrival of the request headers',
  'req.ts.body_received': 'arrival of the request body',
  'res.status_code': 'status',
  'res.StatusCode': 'status',
  'res.headers': 'response headers',
  'res.Headers': 'response headers',
  'res.trailers': 'response trailers',
  'res.Trailers': 'response trailers',
  'res.cookies': 'response cookies',
  'res.Cookies': 'response cookies',
  'res.content_length': 'length of the response body',
  'res.ContentLength': 'length of the response body',
  'res.content_type': 'media type of the response',
  'res.content_encoding': 'content encodings of the response',
  'res.location': 'Location header of the response',
  'res.Location': 'Location header of the response',
  'time.now': 'current time',
  vars: 'variables',
};

/** What some fields are called, where the words of their names do not say it. */
const FIELDS: Readonly<Record<string, string>> = {
  CountryCode: 'country code',
  Latitude: 'latitude',
  Longitude: 'longitude',
  LatLongRadiusKm: 'radius of the location',
  CertCN: 'common name of the certificate',
  CipherSuite: 'cipher suite',
  SNI: 'server name',
  Version: 'version',
  as: 'network',
  os: 'operating system',
  os_version: 'version of the operating system',
  id: 'ID',
  url: 'URL',
  uris: 'URIs',
  pem: 'PEM text',
  san: 'subject alternative names',
  dns_names: 'DNS names',
  ip_addresses: 'IP addresses',
  not_before: 'start',
  not_after: 'end',
  action: 'decision',
  req: 'request',
  res: 'response',
  ja4_fingerprint: 'JA4 fingerprint',
  negotiated_alpn: 'negotiated protocol',
};

/** What is true if a boolean variable is, and what is true if it is not. */
const STATEMENTS: Readonly<Record<string, readonly [holds: string, fails: string]>> = {
  'req.user_agent.is_bot': ['the user agent is a bot', 'the user agent is not a bot'],
  'req.user_agent.is_mobile': ['the user agent is a mobile device', 'the user agent is not a mobile device'],
  'req.user_agent.is_tablet': ['the user agent is a tablet', 'the user agent is not a tablet'],
  'req.user_agent.is_desktop': ['the user agent is a desktop device', 'the user agent is not a desktop device'],
  'conn.tls.session_resumed': ['the TLS session was resumed', 'the TLS session was not resumed'],
  'actions.ngrok.rate_limit.limited': ['the rate limit was exceeded', 'the rate limit was not exceeded'],
  'actions.ngrok.verify_webhook.verified': ['the webhook was verified', 'the webhook was not verified'],
  'actions.ngrok.basic_auth.credentials.authorized': [
    'the credentials were accepted',
    'the credentials were not accepted',
  ],
};

/** The same for fields, after what has them. */
const PREDICATES: Readonly<Record<string, readonly [holds: string, fails: string]>> = {
  is_eu: ['is in the European Union', 'is not in the European Union'],
  is_on_blocklist: ['is on a blocklist', 'is not on a blocklist'],
  is_tor_node: ['is a Tor node', 'is not a Tor node'],
  critical: ['is critical', 'is not critical'],
};

/** Returns what a variable is called, with its article: `the country code of the client address`. */
export function nounOf(path: string): string {
  return `the ${noun(path.replace(/\.@text$/, ''))}`;
}

function noun(path: string): string {
  const known = NOUNS[path];
  if (known !== undefined) return known;
  const parts = path.split('.');
  const field = parts.pop()!;
  const action = /^actions\.ngrok\.\w+$/.test(path) ? `action \`${field.replaceAll('_', '-')}\`` : undefined;
  if (action !== undefined) return action;
  if (parts.length === 0) return field;
  return `${FIELDS[field] ?? field.replaceAll('_', ' ')} of the ${noun(parts.join('.'))}`;
}

/** Returns what a boolean variable says if it is true, or false; undefined if it has no sentence of its own. */
export function statementOf(path: string, holds: boolean): string | undefined {
  const whole = STATEMENTS[path];
  if (whole !== undefined) return whole[holds ? 0 : 1];
  const at = path.lastIndexOf('.');
  const predicate = at < 0 ? undefined : PREDICATES[path.slice(at + 1)];
  return predicate && `${nounOf(path.slice(0, at))} ${predicate[holds ? 0 : 1]}`;
}

/** Returns true if a noun is a plural: `the categories of the client address`. */
export function isPlural(noun: string): boolean {
  const [head = ''] = noun.split(' of ', 1);
  return head.startsWith('the ') && /[^us]s$/.test(head);
}
