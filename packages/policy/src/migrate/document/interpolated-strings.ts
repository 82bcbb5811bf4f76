import type { ProfileSwitches } from '@tollgate/catalog';

/** A string converted to the new profile, and the parts without a counterpart. */
interface ConvertedString {
  readonly text: string;
  readonly losses: readonly { readonly written: string; readonly why?: string }[];
}

const AUTHORITY = 'req.url.host + (has(req.url.port) ? ":" + string(req.url.port) : "")';

/** The variables of `edge-v2` URL replacements, as expressions. */
const REQUEST_VARIABLES: Readonly<Record<string, string>> = {
  args: 'req.url.query',
  query_string: 'req.url.query',
  is_args: 'req.url.query != "" ? "?" : ""',
  uri: 'req.url.uri',
  scheme: 'req.url.scheme',
  host: 'req.url.host',
  port: 'has(req.url.port) ? string(req.url.port) : ""',
  authority: AUTHORITY,
  user: 'req.url.user_password',
  is_user: 'req.url.user_password != "" ? "@" : ""',
};

/** In a string that already has expressions: variables without braces. */
const VARIABLE_OUTSIDE = /\$\$|\$([\p{L}\p{Nd}_]+)/gu;

const REFERENCE = /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}|\$(?=\{)/gu;

/**
 * Converts a URL replacement to `modern`: request variables become expressions. Capture groups stay: expressions are
 * filled in first, then the replacement is expanded, as variables were.
 */
export function convertReplacement(to: string, isFilled: boolean): string {
  return to.replace(
    isFilled ? VARIABLE_OUTSIDE : REFERENCE,
    (written, name: string | undefined, braced: string | undefined, offset: number) => {
      const next = to[offset + written.length] ?? '';
      if (name !== undefined) return variable(name) ?? written;
      if (braced !== undefined) return /[\p{L}\p{Nd}_]/u.test(next) ? literal(written) : `$${braced}`;
      return next === '{' ? literal(written) : written;
    },
  );
}

function variable(name: string): string | undefined {
  if (Object.hasOwn(REQUEST_VARIABLES, name)) return `\${${REQUEST_VARIABLES[name]}}`;
  if (!name.startsWith('arg_')) return undefined;
  const parameter = JSON.stringify(name.slice('arg_'.length));
  return `\${hasQueryParam(${parameter}) ? getQueryParam(${parameter})[0] : ""}`;
}

/** Returns an interpolation of a literal string, which keeps `$` and braces as they are. */
function literal(text: string): string {
  return `\${${JSON.stringify(text)}}`;
}

/** The paths in header templates, as expressions of `modern`. */
const TEMPLATE_PATHS: Readonly<Record<string, string>> = {
  'conn.bytes_in': 'conn.bytes_in',
  'conn.bytes_out': 'conn.bytes_out',
  'conn.client_ip': 'conn.client_ip',
  'conn.server_ip': 'conn.server_ip',
  'conn.server_port': 'conn.server_port',
  'conn.start_ts': 'conn.ts.start',
  'http.request.method': 'req.method',
  'http.request.url.host': 'req.url.host',
  'http.request.url.path': 'req.url.path',
  'http.request.url.query': 'req.url.query',
  'http.request.url.raw': 'req.url',
  'http.request.user_agent': 'hasReqHeader("user-agent") ? getReqHeader("user-agent")[0] : ""',
  'http.request.version': 'req.version',
  'http.response.status_code': 'res.status_code',
  'ngrok.client_ip': 'conn.client_ip',
  'ngrok.geo.country_code': 'conn.geo.country_code',
  'ngrok.geo.lat_long_radius_km': 'conn.geo.radius',
  'ngrok.geo.latitude': 'conn.geo.latitude',
  'ngrok.geo.longitude': 'conn.geo.longitude',
  'oauth.user.email': 'actions.ngrok.oauth.identity.email',
  'tls.cipher_suite': 'conn.tls.cipher_suite',
  'tls.client_cert.serial_number': 'conn.tls.client.serial_number',
  'tls.client_cert.subject': 'conn.tls.client.subject',
  'tls.client_cert.subject.cn': 'has(conn.tls.client.subject.common_name) ? conn.tls.client.subject.common_name : ""',
  'tls.version': 'conn.tls.version',
};

/** Differences between a path and its counterpart. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'oauth.user.email': 'it requires an earlier `oauth` action',
  'tls.version': 'its format changes from `TLS 1.3` to `1.3`',
};

/** Converts a header value to `modern`: templates become expressions, everything else stays literal. */
export function convertTemplate(text: string, escapeStyle: ProfileSwitches['interpolationEscape']): ConvertedString {
  const losses: { written: string; why?: string }[] = [];
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => {
    const path = /^\$\{\.([^}]*)\}$/.exec(part)?.[1];
    if (path === undefined) return escapeString(part, escapeStyle);
    const expression = Object.hasOwn(TEMPLATE_PATHS, path) ? TEMPLATE_PATHS[path] : undefined;
    const why = expression === undefined ? undefined : DIFFERENCES[path];
    if (expression === undefined) losses.push({ written: part });
    else if (why !== undefined) losses.push({ written: part, why });
    return expression === undefined ? part : `\${${expression}}`;
  });
  return { text: parts.join(''), losses };
}

/** Escapes a literal string for a field that allows expressions. */
export function escapeString(text: string, escapeStyle: ProfileSwitches['interpolationEscape']): string {
  return text.replaceAll('${', () => (escapeStyle === 'none' ? literal('${') : escapeStyle));
}
