// What upstreams make of requests, as data with sources, and how a request looks to one of them.

import type { Exchange } from '@tollgate/traffic';

/** What an upstream does to the path of a request before it looks for a handler, in order. */
type PathStep =
  /** Percent-encoded characters are decoded. */
  | 'decode'
  /** As `decode`, but an encoded slash is not a separator. */
  | 'decode-segments'
  /** `;name=value` at the end of a segment is left out. */
  | 'drop-parameters'
  | 'merge-slashes'
  | 'resolve-dot-segments'
  | 'backslash-to-slash'
  | 'ignore-case'
  | 'ignore-trailing-slash'
  /** Refuses paths with an encoded slash or a backslash. */
  | 'refuse-encoded-slash'
  /** Answers paths with doubled slashes or dot segments with a redirect, which the client has to follow through the edge. */
  | 'redirect-unclean';

/** Which of several values of one name an upstream reads. */
type Repeated = 'first' | 'joined';

/** A fact with the page that states it. */
interface Sourced<T> {
  readonly value: T;
  readonly source: string;
}

/** How an upstream reads requests, in its default configuration. */
export interface Upstream {
  readonly name: string;
  /** What it stands for. */
  readonly doc: string;
  readonly path: Sourced<readonly PathStep[]>;
  readonly headers: Sourced<Repeated>;
  readonly parameters: Sourced<Repeated>;
  /** Whether `Example.com.` is the same virtual host as `example.com`. */
  readonly ignoresHostForm: Sourced<boolean>;
}

const NODE_HEADERS = 'https://nodejs.org/api/http.html#messageheaders';
const GO_HTTP = 'https://pkg.go.dev/net/http';
const TOMCAT_CONNECTOR = 'https://tomcat.apache.org/tomcat-11.0-doc/config/http.html';
const SERVLET = 'https://jakarta.ee/specifications/servlet/6.0/jakarta-servlet-spec-6.0';
const NGINX_CORE = 'https://nginx.org/en/docs/http/ngx_http_core_module.html';
const ASP_REQUEST = 'https://learn.microsoft.com/dotnet/api/system.web.httprequest';

/** The upstreams whose reading of requests is known. */
export const UPSTREAMS: readonly Upstream[] = [
  {
    name: 'nginx',
    doc: 'nginx as an origin: `location` blocks, `$http_` and `$arg_` variables, `allow` and `deny`.',
    path: { value: ['decode', 'merge-slashes', 'resolve-dot-segments'], source: `${NGINX_CORE}#location` },
    headers: { value: 'joined', source: 'https://nginx.org/en/CHANGES' },
    parameters: { value: 'first', source: `${NGINX_CORE}#var_arg_` },
    ignoresHostForm: { value: true, source: 'https://nginx.org/en/docs/http/server_names.html' },
  },
  {
    name: 'express',
    doc: 'Express with routes of its router, neither strict nor case-sensitive.',
    path: {
      value: ['ignore-case', 'ignore-trailing-slash'],
      source: 'https://expressjs.com/en/5x/api.html#app.settings.table',
    },
    headers: { value: 'joined', source: NODE_HEADERS },
    parameters: { value: 'joined', source: 'https://expressjs.com/en/5x/api.html#req.query' },
    ignoresHostForm: { value: false, source: 'https://expressjs.com/en/5x/api.html#req.hostname' },
  },
  {
    name: 'go',
    doc: 'net/http of Go 1.22 and newer, with patterns of its ServeMux.',
    path: { value: ['redirect-unclean', 'decode-segments'], source: `${GO_HTTP}#ServeMux` },
    headers: { value: 'first', source: `${GO_HTTP}#Header.Get` },
    parameters: { value: 'first', source: 'https://pkg.go.dev/net/url#Values.Get' },
    ignoresHostForm: { value: false, source: `${GO_HTTP}#hdr-Patterns-ServeMux` },
  },
  {
    name: 'tomcat',
    doc: 'Apache Tomcat with servlet mappings.',
    path: {
      value: ['drop-parameters', 'refuse-encoded-slash', 'decode', 'merge-slashes', 'resolve-dot-segments'],
      source: `${TOMCAT_CONNECTOR} (encodedSolidusHandling, allowBackslash); ${SERVLET}#uri-path-canonicalization`,
    },
    headers: { value: 'first', source: `${SERVLET}#headers` },
    parameters: { value: 'first', source: `${SERVLET}#http-protocol-parameters` },
    ignoresHostForm: { value: false, source: 'https://tomcat.apache.org/tomcat-11.0-doc/config/host.html' },
  },
  {
    name: 'iis',
    doc: 'Internet Information Services: HTTP.sys and ASP.NET.',
    path: {
      value: ['decode', 'backslash-to-slash', 'resolve-dot-segments', 'ignore-case'],
      source: 'https://support.microsoft.com/?id=896287',
    },
    headers: { value: 'joined', source: `${ASP_REQUEST}.headers` },
    parameters: { value: 'joined', source: `${ASP_REQUEST}.querystring` },
    ignoresHostForm: {
      value: false,
      source: 'https://learn.microsoft.com/iis/configuration/system.applicationhost/sites/site/bindings/binding',
    },
  },
];

/** Returns a string that is equal for requests that an upstream treats alike; undefined if it answers without looking for a handler. */
export function upstreamView(exchange: Exchange, upstream: Upstream): string | undefined {
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(exchange.target ?? '/') ?? [];
  const own = upstreamPath(path, upstream);
  if (own === undefined) return undefined;
  const fields = exchange.requestHeaders.fields.map(({ name, value }) => [name.toLowerCase(), value] as const);
  const host = fields.find(([name]) => name === 'host')?.[1];
  const others = fields.filter(([name]) => name !== 'host');
  return JSON.stringify([
    exchange.method,
    host === undefined || !upstream.ignoresHostForm.value ? host : host.toLowerCase().replace(/\.(?=:|$)/, ''),
    own,
    read(others, upstream.headers.value),
    read([...new URLSearchParams(query)], upstream.parameters.value),
    exchange.clientIp,
  ]);
}

/** Returns what is read under each name, in order of names. */
function read(pairs: readonly (readonly [name: string, value: string])[], repeated: Repeated): readonly unknown[] {
  const groups = Map.groupBy(pairs, ([name]) => name);
  const read = [...groups].map(([name, all]) => {
    const values = all.map(([, value]) => value);
    return [name, repeated === 'first' ? values[0] : values.join(', ')] as const;
  });
  return read.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Returns the path for which an upstream looks for a handler; undefined if it answers without one. Equal results mean that it treats the
 * requests alike.
 */
export function upstreamPath(path: string, { path: { value: steps } }: Pick<Upstream, 'path'>): string | undefined {
  let current: string | undefined = path;
  for (const step of steps) {
    if (current === undefined) return undefined;
    current = STEPS[step](current);
  }
  return current;
}

const STEPS: Readonly<Record<PathStep, (path: string) => string | undefined>> = {
  decode: decoded,
  'decode-segments': path => {
    const segments = path.split('/').map(segment => decoded(segment)?.replaceAll('/', '%2F'));
    return segments.every(segment => segment !== undefined) ? segments.join('/') : undefined;
  },
  'drop-parameters': path => path.replace(/;[^/]*/g, ''),
  'merge-slashes': path => path.replace(/\/{2,}/g, '/'),
  'resolve-dot-segments': withoutDotSegments,
  'backslash-to-slash': path => path.replaceAll('\\', '/'),
  'ignore-case': path => path.toLowerCase(),
  'ignore-trailing-slash': path => (path.length > 1 ? path.replace(/\/$/, '') : path),
  'refuse-encoded-slash': path => (/%2f|%5c|\\/i.test(path) ? undefined : path),
  'redirect-unclean': path => (/\/\/|\/\.{1,2}(?:\/|$)/.test(path) ? undefined : path),
};

/** Undefined for a percent sign without two digits, or bytes that are not UTF-8. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Undefined if it leads above the root. */
function withoutDotSegments(path: string): string | undefined {
  const [, ...segments] = path.split('/');
  const found: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (segment === '..' && found.pop() === undefined) return undefined;
    if (segment !== '.' && segment !== '..') found.push(segment);
    else if (isLast) found.push('');
  }
  return `/${found.join('/')}`;
}
