import type { Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { canonicalHeaderName } from '@tollgate/policy';
import { type HeaderName, headerName } from './header-name.ts';

/** How a profile names headers and inputs. */
export interface Dialect {
  /** Converts a header name to the form used in header maps. */
  readonly headerKey: (name: string) => string;
  readonly names: InputNames;
  /** Unknown values for inputs, each under its own name. */
  readonly unknown: Readonly<Record<keyof InputNames, Unknown>>;
  /** Headers that a rule may name. */
  readonly requestHeader: (key: string) => HeaderName;
  readonly responseHeader: (key: string) => HeaderName;
  /** Request headers that variables are derived from. */
  readonly host: HeaderName;
  readonly requestLength: HeaderName;
  readonly requestEncoding: HeaderName;
  /** The response header that states the length. */
  readonly responseLength: HeaderName;
}

/** The names of inputs in reports of what is unknown. */
interface InputNames {
  readonly clientIp: string;
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly host: string;
  readonly protocol: string;
  readonly requestHeaders: string;
  readonly requestLength: string;
  readonly responseHeaders: string;
  readonly status: string;
}

/** Capitalized names, with headers in Go's canonical form. */
export const CAPITALISED = dialectWith(canonicalHeaderName, {
  clientIp: 'conn.ClientIP',
  method: 'req.Method',
  url: 'req.URL',
  target: 'req.Path',
  host: 'req.Host',
  protocol: 'req.Protocol',
  requestHeaders: 'req.Headers',
  requestLength: 'req.ContentLength',
  responseHeaders: 'res.Headers',
  status: 'res.StatusCode',
});

/** Names in snake case, with headers in lower case. */
export const SNAKE_CASE = dialectWith(name => name.toLowerCase(), {
  clientIp: 'conn.client_ip',
  method: 'req.method',
  url: 'req.url',
  target: 'req.url.path',
  host: 'req.host',
  protocol: 'req.version',
  requestHeaders: 'req.headers',
  requestLength: 'req.content_length',
  responseHeaders: 'res.headers',
  status: 'res.status_code',
});

function dialectWith(headerKey: Dialect['headerKey'], names: InputNames): Dialect {
  const unknown = (key: keyof InputNames) => new Unknown([names[key]]);
  const requestHeader = (key: string) => headerName(key, names.requestHeaders, headerKey);
  const responseHeader = (key: string) => headerName(key, names.responseHeaders, headerKey);
  return {
    headerKey,
    names,
    unknown: {
      clientIp: unknown('clientIp'),
      method: unknown('method'),
      url: unknown('url'),
      target: unknown('target'),
      host: unknown('host'),
      protocol: unknown('protocol'),
      requestHeaders: unknown('requestHeaders'),
      requestLength: unknown('requestLength'),
      responseHeaders: unknown('responseHeaders'),
      status: unknown('status'),
    },
    requestHeader,
    responseHeader,
    host: requestHeader(headerKey('host')),
    requestLength: requestHeader(headerKey('content-length')),
    requestEncoding: requestHeader(headerKey('transfer-encoding')),
    responseLength: responseHeader(headerKey('content-length')),
  };
}

/** Returns the naming of a profile. */
export function dialectOf({ headerNames }: Pick<Profile, 'headerNames'>): Dialect {
  return headerNames === 'canonical' ? CAPITALISED : SNAKE_CASE;
}
