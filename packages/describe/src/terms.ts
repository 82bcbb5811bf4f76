// What the values in conditions are called: variables, headers, calls on them, and literals.

import { type CallExpr, type Expr, formatType, type Literal, type TypedAst } from '@tollgate/cel';
import { inputPathOf, printLiteral } from '@tollgate/cel/tooling';

/** What a value is called. */
export interface Term {
  readonly text: string;
  /** Whether a part of it is code, because there are no words for it. */
  readonly isCode: boolean;
  /** Whether something follows the noun, so that it stands in parentheses within another term. */
  readonly isSuffixed?: boolean;
}

/** Where a term stands. */
export interface TermContext {
  readonly typed: TypedAst;
  /** What the variables of macros are called, by name. */
  readonly locals: ReadonlyMap<string, string>;
  /** Entries that are known to be present: `the header \`x\``. */
  readonly guarded: Pick<ReadonlySet<string>, 'has'>;
}

/** What entries of maps are called, by the path of the map. */
const ENTRIES: Readonly<Record<string, string>> = {
  'req.headers': 'header',
  'req.Headers': 'header',
  'req.trailers': 'request trailer',
  'req.Trailers': 'request trailer',
  'req.url.query_params': 'query parameter',
  'req.Params': 'query parameter',
  'req.cookies': 'cookie',
  'res.headers': 'response header',
  'res.Headers': 'response header',
  'res.trailers': 'response trailer',
  'res.Trailers': 'response trailer',
  'res.cookies': 'response cookie',
  'req.content_type.parameters': 'request media type parameter',
  'res.content_type.parameters': 'response media type parameter',
  vars: 'variable',
};

/** What functions look up, by name: entries that may be absent. */
const LOOKUPS: Readonly<Record<string, string>> = {
  getReqHeader: 'header',
  getQueryParam: 'query parameter',
  getReqCookie: 'cookie',
  getResHeader: 'response header',
  getResCookie: 'response cookie',
};

/** Functions that return whether there is such an entry. */
const PRESENCE: Readonly<Record<string, string>> = {
  hasReqHeader: 'header',
  hasQueryParam: 'query parameter',
  hasReqCookie: 'cookie',
  hasResHeader: 'response header',
  hasResCookie: 'response cookie',
};

const PARTS_OF_TIME: Readonly<Record<string, string>> = {
  getFullYear: 'year',
  getMonth: 'month, counted from 0,',
  getDate: 'day of the month',
  getDayOfMonth: 'day of the month, counted from 0,',
  getDayOfWeek: 'day of the week, counted from 0 for Sunday,',
  getDayOfYear: 'day of the year, counted from 0,',
  getHours: 'hour',
  getMinutes: 'minute',
  getSeconds: 'second',
  getMilliseconds: 'millisecond',
};

/** Functions whose argument or receiver is followed by words. */
const SUFFIXES: Readonly<Record<string, string>> = {
  lowerAscii: 'in lower case',
  lower: 'in lower case',
  upperAscii: 'in upper case',
  upper: 'in upper case',
  trim: 'without surrounding white space',
  int: 'as an integer',
  double: 'as a number',
  string: 'as a string',
  uint: 'as an unsigned integer',
  timestamp: 'as a time',
  duration: 'as a duration',
};

/** Returns a string as a code span: as it is, unless it could be read as code, or not be seen. */
export function stringSpan(text: string): string {
  const isPlain = /^(?!b["'])[^'"[{`\s](?:[^`\p{Cc}]*[^`\s])?$/u.test(text);
  return isPlain ? `\`${text}\`` : codeSpan(printLiteral({ type: 'string', value: text }));
}

/** Returns code as a span of Markdown that may contain backticks (CommonMark 6.1). */
export function codeSpan(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${code}\`` : `${fence} ${code} ${fence}`;
}

/** Returns what the value of an expression is called. */
export function termOf(expr: Expr, context: TermContext): Term {
  return known(expr, context) ?? { text: `the result of ${codeOf(expr, context)}`, isCode: true };
}

/** Returns what the value of a whole expression is called. Entries need not be present. */
export function nounOfValue(typed: TypedAst): string {
  const context = { typed, locals: new Map<string, string>(), guarded: ANY };
  const term = known(typed.ast.root, context);
  return term && !term.isCode ? term.text : codeOf(typed.ast.root, context);
}

const ANY: Pick<ReadonlySet<string>, 'has'> = { has: () => true };

/** Returns the source of an expression as a code span. */
export function codeOf({ range }: Expr, { typed }: TermContext): string {
  return codeSpan(typed.ast.source.slice(range.start, range.end).replaceAll(/\s+/g, ' ').trim());
}

function known(expr: Expr, context: TermContext): Term | undefined {
  const { typed, locals } = context;
  if (expr.kind === 'literal') return plain(literalText(expr.literal));
  if (expr.kind === 'list' && expr.elements.every(one => one.kind === 'literal')) return plain(codeOf(expr, context));
  if (expr.kind === 'ident' && locals.has(expr.name)) return plain(locals.get(expr.name)!);
  const path = inputPathOf(typed, expr);
  if (path !== undefined) return plain(nounOf(path));
  if (expr.kind === 'select' && !expr.testOnly) return selected(expr.operand, expr.field, context);
  const number = wholeNumber(expr);
  if (number !== undefined) return plain(String(number));
  return expr.kind === 'call' && !typed.ast.macroCalls.has(expr.id) ? called(expr, context) : undefined;
}

/** `20 * 1024 * 1024`. */
function wholeNumber(expr: Expr): bigint | undefined {
  if (expr.kind === 'literal') return expr.literal.type === 'int' ? BigInt(expr.literal.value) : undefined;
  const [left, right] = expr.kind === 'call' ? expr.args.map(wholeNumber) : [];
  if (expr.kind !== 'call' || left === undefined || right === undefined) return undefined;
  const found = expr.function === '_*_' ? left * right : expr.function === '_+_' ? left + right : undefined;
  return found !== undefined && BigInt.asIntN(64, found) === found ? found : undefined;
}

function literalText(literal: Literal): string {
  if (literal.type === 'string') return stringSpan(literal.value);
  return literal.type === 'bytes' ? codeSpan(printLiteral(literal)) : printLiteral(literal);
}

function plain(text: string): Term {
  return { text, isCode: false };
}

/** A field of a value, or an entry of a map that is read like a field. */
function selected(operand: Expr, field: string, context: TermContext): Term {
  const entry = entryOf(operand, field, context);
  if (entry !== undefined) return required(entry, context);
  return prefixed(`the field \`${field}\` of`, termOf(operand, context));
}

function called(call: CallExpr, context: TermContext): Term | undefined {
  const { function: name, target, args } = call;
  const [first, second] = args;
  if (name === '_[_]' && first && second) return indexed(first, second, context);
  const lookup = lookupOf(call, LOOKUPS);
  if (lookup !== undefined) return plain(lookup);
  if (name === 'double' && args.length === 0 && target?.kind === 'ident' && target.name === 'rand')
    return plain('a random number from 0 to 1');
  const subject = target ?? first;
  if (subject === undefined) return undefined;
  const own = () => termOf(subject, context);
  const extra = target ? args : args.slice(1);
  if ((name === 'timestamp' || name === 'duration') && extra.length === 0 && isText(subject))
    return plain(`the ${name === 'timestamp' ? 'time' : 'duration'} ${stringSpan(subject.literal.value as string)}`);
  if (name === 'size' && extra.length === 0) return prefixed('the size of', own());
  // `timestamp(time.now)` is the same time.
  const type = context.typed.types[subject.id];
  if (extra.length === 0 && target === undefined && type && formatType(type).startsWith(name)) return own();
  if (extra.length === 0 && Object.hasOwn(SUFFIXES, name)) return suffixed(own(), SUFFIXES[name]!);
  if (name === 'join' && target && extra.length <= 1 && extra.every(isText))
    return suffixed(own(), `joined by ${stringSpan(textIn(extra[0]) ?? '')}`);
  if (target && Object.hasOwn(PARTS_OF_TIME, name) && extra.length <= 1 && extra.every(isText)) {
    const zone = extra.length === 0 ? 'UTC' : textIn(extra[0])!;
    return suffixed(prefixed(`the ${PARTS_OF_TIME[name]} of`, own()), `in ${stringSpan(zone)}`);
  }
  return undefined;
}

function indexed(operand: Expr, index: Expr, context: TermContext): Term | undefined {
  if (index.kind !== 'literal') return undefined;
  const { type, value } = index.literal;
  if (type === 'int') {
    // Of several cookies of one name, the first is meant, as `getReqCookie` returns it.
    if (Number(value) === 0 && /^list\(\w+_cookie\)$/.test(formatType(context.typed.types[operand.id]!)))
      return termOf(operand, context);
    const place = value === 0 ? 'the first value of' : `value ${Number(value) + 1} of`;
    return Number(value) < 0 ? undefined : prefixed(place, termOf(operand, context));
  }
  if (type !== 'string') return undefined;
  const entry = entryOf(operand, value, context);
  return entry === undefined
    ? prefixed(`the entry ${stringSpan(value)} of`, termOf(operand, context))
    : required(entry, context);
}

/** An index fails if there is no such entry, which nothing else in the sentence would say. */
function required(entry: string, { guarded }: TermContext): Term {
  return guarded.has(entry) ? plain(entry) : { text: `${entry} (which must be present)`, isCode: false };
}

/** Returns what an entry of a map is called: `the header \`x\``. */
export function entryOf(map: Expr, key: string, { typed }: Pick<TermContext, 'typed'>): string | undefined {
  const path = inputPathOf(typed, map);
  const kind = path === undefined ? undefined : ENTRIES[path];
  // Headers have one spelling; no header is ever found under another.
  if (/[.]headers$/.test(path ?? '') && key !== key.toLowerCase()) return undefined;
  if (/[.]Headers$/.test(path ?? '') && !/^(?:[A-Z][^A-Z-]*(?:-(?=[A-Z])|$))+$/.test(key)) return undefined;
  return kind && `the ${kind} ${stringSpan(key)}`;
}

/** Returns the entry that a call says is present. */
export function presenceOf(call: CallExpr): string | undefined {
  return lookupOf(call, PRESENCE);
}

function lookupOf({ function: name, target, args }: CallExpr, table: Readonly<Record<string, string>>) {
  const kind = Object.hasOwn(table, name) ? table[name] : undefined;
  const key = args.length === 1 && target === undefined ? textIn(args[0]) : undefined;
  return kind === undefined || key === undefined ? undefined : `the ${kind} ${stringSpan(key)}`;
}

function prefixed(words: string, { text, isCode, isSuffixed }: Term): Term {
  return { text: `${words} ${isSuffixed ? `(${text})` : text}`, isCode };
}

function suffixed({ text, isCode, isSuffixed }: Term, words: string): Term {
  return { text: `${isSuffixed ? `(${text})` : text} ${words}`, isCode, isSuffixed: true };
}

function isText(expr: Expr): expr is Extract<Expr, { kind: 'literal' }> {
  return expr.kind === 'literal' && expr.literal.type === 'string';
}

/** Returns the value of a string literal. */
export function textIn(expr: Expr | undefined): string | undefined {
  return expr !== undefined && isText(expr) ? (expr.literal.value as string) : undefined;
}

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
