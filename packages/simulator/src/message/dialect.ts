import type { Profile } from '@tollgate/catalog';
import { canonicalHeaderName } from '@tollgate/policy';

/** How a profile names what it shows of traffic. */
export interface Dialect {
  /** The name of a header as maps of headers have it. */
  readonly headerKey: (name: string) => string;
  readonly names: InputNames;
}

/** The names of inputs, as reports of what is not known give them. */
export interface InputNames {
  readonly clientIp: string;
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly protocol: string;
  readonly requestHeaders: string;
  readonly requestLength: string;
  readonly responseHeaders: string;
  readonly status: string;
}

const CAPITALISED: Dialect = {
  headerKey: canonicalHeaderName,
  names: {
    clientIp: 'conn.ClientIP',
    method: 'req.Method',
    url: 'req.URL',
    host: 'req.Host',
    protocol: 'req.Protocol',
    requestHeaders: 'req.Headers',
    requestLength: 'req.ContentLength',
    responseHeaders: 'res.Headers',
    status: 'res.StatusCode',
  },
};

const SNAKE_CASE: Dialect = {
  headerKey: name => name.toLowerCase(),
  names: {
    clientIp: 'conn.client_ip',
    method: 'req.method',
    url: 'req.url',
    host: 'req.host',
    protocol: 'req.version',
    requestHeaders: 'req.headers',
    requestLength: 'req.content_length',
    responseHeaders: 'res.headers',
    status: 'res.status_code',
  },
};

/** The names that policies of a profile know. */
export function dialectOf({ headerNames }: Pick<Profile, 'headerNames'>): Dialect {
  return headerNames === 'canonical' ? CAPITALISED : SNAKE_CASE;
}
