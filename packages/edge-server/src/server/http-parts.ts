// What the HTTP server depends on, and the URL under which clients know it.

import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticator } from '../security/api-keys.ts';
import type { Service } from '../service/service.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { KsuidSource } from '../store/ksuid.ts';
import type { Store } from '../store/store.ts';
import type { Certificate } from './listen.ts';
import type { Telemetry } from './telemetry.ts';

/** The dependencies of the HTTP server. */
export interface HttpParts {
  readonly settings: ServerSettings;
  /** The certificate of HTTPS; undefined for HTTP. */
  readonly certificate: Certificate | undefined;
  readonly service: Service;
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly newKsuid: KsuidSource;
  readonly now: () => number;
  /** The version of the program. */
  readonly version: string;
  /** Returns true if files of the program have changed since it started. */
  readonly isReplaced: () => boolean;
  readonly telemetry: Telemetry;
  /** Writes a line of the log, as JSON. */
  readonly log: (line: string) => void;
}

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Bounds the memo, because clients can send any number of host names. */
const MAX_MEMOIZED = 1000;

/** Returns a function that determines the prefix of URIs in a response: the setting, or else the host of the request. */
export function createBaseUrl(
  settings: Pick<ServerSettings, 'publicUrl' | 'basePath' | 'trustProxy' | 'tlsCertFile'>,
): (headers: IncomingHttpHeaders) => string {
  const { publicUrl, basePath, trustProxy, tlsCertFile } = settings;
  const own = tlsCertFile === '' ? 'http' : 'https';
  if (publicUrl !== '') return () => publicUrl.replace(/\/$/, '');
  const made = new Map<string, string>();
  return headers => {
    const proto = trustProxy && firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : own;
    const host = (trustProxy ? firstOf(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
    const key = `${proto}://${host}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    // An invalid host would result in broken URIs.
    if (!HOST.test(host)) return `${proto}://localhost${basePath}`;
    const url = `${key}${basePath}`;
    if (made.size < MAX_MEMOIZED) made.set(key, url);
    return url;
  };
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const [first] = (typeof header === 'string' ? header : (header?.[0] ?? '')).split(',');
  return first === '' ? undefined : first?.trim();
}
