import type { ProfileSwitches } from '@tollgate/catalog';

/** A text of the old profile in the way of the new one, and the parts of it that have no counterpart. */
export interface ConvertedText {
  readonly text: string;
  readonly losses: readonly { readonly written: string; readonly why?: string }[];
}

const AUTHORITY = 'req.url.host + (has(req.url.port) ? ":" + string(req.url.port) : "")';

/** Variables that replacements of `edge-v2` name, as expressions. */
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

/** Expressions are there already: only variables are to be found, outside of them. */
const VARIABLE_OUTSIDE = /\$\$|\$([\p{L}\p{Nd}_]+)/gu;

const REFERENCE = /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}|\$(?=\{)/gu;

/**
 * The replacement of a URL in the way of `modern`: variables of the request become expressions. Groups stay: what expressions give is
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

/** A text that is filled in as it stands, dollars and braces too. */
function literal(text: string): string {
  return `\${${JSON.stringify(text)}}`;
}

/** The paths that templates in header values name, as expressions of `modern`. */
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

/** What is not quite the same under its new name. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'oauth.user.email': 'it needs an action `oauth` before it',
  'tls.version': 'it was `TLS 1.3` where it is now `1.3`',
};

/** The value of a header in the way of `modern`: templates become expressions, other text stays text. */
export function convertTemplate(text: string, escapeSign: ProfileSwitches['interpolationEscape']): ConvertedText {
  const losses: { written: string; why?: string }[] = [];
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => {
    const path = /^\$\{\.([^}]*)\}$/.exec(part)?.[1];
    if (path === undefined) return escapeText(part, escapeSign);
    const expression = Object.hasOwn(TEMPLATE_PATHS, path) ? TEMPLATE_PATHS[path] : undefined;
    const why = expression === undefined ? undefined : DIFFERENCES[path];
    if (expression === undefined) losses.push({ written: part });
    else if (why !== undefined) losses.push({ written: part, why });
    return expression === undefined ? part : `\${${expression}}`;
  });
  return { text: parts.join(''), losses };
}

/** A text in which nothing was filled in, for a field in which expressions are. */
export function escapeText(text: string, escapeSign: ProfileSwitches['interpolationEscape']): string {
  return text.replaceAll('${', () => (escapeSign === 'none' ? literal('${') : escapeSign));
}
