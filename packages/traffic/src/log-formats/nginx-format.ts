/** Log formats in the syntax of nginx: `$remote_addr - [$time_local] "$request"`. */
import {
  type Escape,
  type LogText,
  type LogVariable,
  type ParsedFormat,
  placeIn,
  readQuoted,
  type VariableFact,
} from './log-variable.ts';

/**
 * nginx variables that describe an exchange. Not among them: `$uri`, which internal redirects change, and `$server_name`, a name from the
 * configuration whatever the client requested.
 */
export const NGINX_VARIABLES: Readonly<Record<string, VariableFact>> = {
  remote_addr: ['word', 'client'],
  remote_port: ['number', 'client-port'],
  server_addr: ['word', 'server-ip'],
  server_port: ['number', 'server-port'],
  request: ['text', 'request'],
  request_method: ['word', 'method'],
  request_uri: ['text', 'target'],
  server_protocol: ['word', 'protocol'],
  scheme: ['word', 'scheme'],
  https: ['word', 'https'],
  host: ['word', 'host-name'],
  time_local: ['log-time', 'time'],
  time_iso8601: ['word', 'time'],
  msec: ['number', 'written'],
  request_time: ['number', 'duration'],
  status: ['number', 'status'],
  body_bytes_sent: ['number', 'size'],
  ssl_protocol: ['word', 'tls-version'],
  ssl_cipher: ['word', 'tls-cipher'],
  ssl_server_name: ['word', 'server-name'],
  ssl_alpn_protocol: ['word', 'alpn'],
};

/** Other variables whose values contain no space, which helps to find their end. */
const WORDS: ReadonlySet<string> = new Set(['bytes_sent', 'request_length', 'connection', 'pid', 'request_id', 'pipe']);

/** Parses a format of nginx, or a whole `log_format` directive. */
export function parseNginxFormat(written: string): ParsedFormat {
  const { format, escape: escaped } = formatIn(written);
  return { server: 'nginx', parts: partsOf(format), escape: escaped, missing: escaped === 'backslash' ? '-' : '' };
}

const ESCAPES: Readonly<Record<string, Escape>> = { default: 'backslash', json: 'json', none: 'none' };

function formatIn(written: string): { readonly format: string; readonly escape: Escape } {
  const directive = /^\s*log_format\s+\S+\s+/.exec(written);
  const rest = written.slice(directive?.[0].length ?? 0);
  const parameter = /^\s*escape=(default|json|none)\s+/.exec(rest);
  const format = rest.slice(parameter?.[0].length ?? 0);
  const isQuoted = directive !== null || /^'.*'\s*;?$/s.test(format.trim());
  return {
    format: isQuoted ? readQuoted(format.replace(/;\s*$/, '')).join('') : format,
    escape: ESCAPES[parameter?.[1] ?? 'default']!,
  };
}

function partsOf(format: string): ParsedFormat['parts'] {
  const parts: (LogVariable | LogText)[] = [];
  let end = 0;
  for (const match of format.matchAll(/\$(?:([A-Za-z0-9_]+)|\{([A-Za-z0-9_]+)\})/g)) {
    if (match.index > end) parts.push({ kind: 'text', text: format.slice(end, match.index) });
    parts.push(variable(match[0], match[1] ?? match[2]!));
    end = match.index + match[0].length;
  }
  if (end < format.length) parts.push({ kind: 'text', text: format.slice(end) });
  return parts;
}

function variable(written: string, name: string): LogVariable {
  const known = Object.hasOwn(NGINX_VARIABLES, name) ? NGINX_VARIABLES[name] : undefined;
  if (known !== undefined) return { kind: 'variable', written, shape: known[0], slot: known[1] };
  const place = placeIn(name);
  if (place !== undefined) return { kind: 'variable', written, shape: 'text', slot: place };
  const header = nginxHeader(name);
  return { kind: 'variable', written, shape: WORDS.has(name) ? 'word' : 'text', header };
}

/** Returns the header that a variable holds; undefined for any other variable. */
export function nginxHeader(name: string): LogVariable['header'] {
  if (name === 'content_type' || name === 'content_length') return { message: 'request', name: headerName(name) };
  const match = /^(?:(http)|sent_http|upstream_http)_(.+)$/.exec(name);
  return match === null ? undefined : { message: match[1] ? 'request' : 'response', name: headerName(match[2]!) };
}

/** Variable names contain header names in lower case with underscores. */
function headerName(name: string): string {
  return name.replace(/(^|_)([a-z]?)/g, (_, dash: string, letter: string) => (dash && '-') + letter.toUpperCase());
}
