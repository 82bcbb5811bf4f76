/** Log formats in the syntax of Envoy: `%START_TIME% %REQ(:METHOD)%`. */
import type { LogText, LogVariable, ParsedFormat, VariableFact } from './log-variable.ts';

/** Envoy command operators that describe an exchange. */
export const ENVOY_OPERATORS: Readonly<Record<string, VariableFact>> = {
  START_TIME: ['word', 'time'],
  'REQ(:METHOD)': ['word', 'method'],
  'REQ(:PATH)': ['text', 'target'],
  'REQ(X-ENVOY-ORIGINAL-PATH?:PATH)': ['text', 'target'],
  'REQ(:SCHEME)': ['word', 'scheme'],
  'REQ(:AUTHORITY)': ['text', 'host'],
  PROTOCOL: ['word', 'protocol'],
  RESPONSE_CODE: ['number', 'status'],
  BYTES_SENT: ['number', 'size'],
  DOWNSTREAM_REMOTE_ADDRESS: ['word', 'client'],
  DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT: ['word', 'client'],
  DOWNSTREAM_DIRECT_REMOTE_ADDRESS: ['word', 'client'],
  DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT: ['word', 'client'],
  DOWNSTREAM_REMOTE_PORT: ['number', 'client-port'],
  DOWNSTREAM_DIRECT_REMOTE_PORT: ['number', 'client-port'],
  DOWNSTREAM_LOCAL_ADDRESS: ['word', 'server-ip'],
  DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT: ['word', 'server-ip'],
  DOWNSTREAM_LOCAL_PORT: ['number', 'server-port'],
  DOWNSTREAM_TLS_VERSION: ['word', 'tls-version'],
  DOWNSTREAM_TLS_CIPHER: ['word', 'tls-cipher'],
  REQUESTED_SERVER_NAME: ['word', 'server-name'],
};

/** Other operators whose values contain no space, which helps to find their end. */
const WORDS: ReadonlySet<string> = new Set([
  ...['RESPONSE_FLAGS', 'BYTES_RECEIVED', 'DURATION', 'UPSTREAM_HOST', 'UPSTREAM_CLUSTER', 'UPSTREAM_CLUSTER_RAW'],
  ...['UPSTREAM_LOCAL_ADDRESS', 'RESPONSE_CODE_DETAILS', 'ROUTE_NAME', 'CONNECTION_TERMINATION_DETAILS'],
]);

const OPERATOR = /%([A-Z_]+(?:\([^)%]*\))?)(?::\d+)?%/g;

/** Distinguishes an Envoy format string from one of Apache, which has single letters after the percent sign. */
export function isEnvoyFormat(written: string): boolean {
  return /%[A-Z]{2}[A-Z_]*(?:\([^)%]*\))?(?::\d+)?%/.test(written);
}

/** Parses an Envoy format string. Envoy escapes nothing. */
export function parseEnvoyFormat(written: string): ParsedFormat {
  const format = written.replace(/(?:\\n|\n)$/, '').replaceAll('\\"', '"');
  const parts: (LogVariable | LogText)[] = [];
  let end = 0;
  for (const match of format.matchAll(OPERATOR)) {
    if (match.index > end) parts.push({ kind: 'text', text: format.slice(end, match.index) });
    parts.push(variable(match[0], match[1]!));
    end = match.index + match[0].length;
  }
  if (end < format.length) parts.push({ kind: 'text', text: format.slice(end) });
  return { server: 'Envoy', parts, escape: 'none', missing: '-' };
}

function variable(written: string, operator: string): LogVariable {
  const fact = Object.hasOwn(ENVOY_OPERATORS, operator) ? ENVOY_OPERATORS[operator] : undefined;
  // A value truncated to a length is not the value.
  const isCut = /:\d+%$/.test(written);
  if (fact !== undefined) return { kind: 'variable', written, shape: fact[0], slot: isCut ? undefined : fact[1] };
  const [, message, name] = /^(REQ|RESP)\(([A-Za-z0-9_-]+)\)$/.exec(operator) ?? [];
  const isHeader = message !== undefined && name !== undefined && !isCut;
  const header = isHeader
    ? { message: message === 'REQ' ? ('request' as const) : ('response' as const), name }
    : undefined;
  return { kind: 'variable', written, shape: WORDS.has(operator) ? 'word' : 'text', header };
}
