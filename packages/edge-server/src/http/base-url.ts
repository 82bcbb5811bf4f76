import type { IncomingHttpHeaders } from 'node:http';
import type { ServerSettings } from '../settings/server-settings.ts';

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** There is no end to the hosts that clients may name. */
const MOST_KNOWN = 1000;

/** Gives what the URIs in an answer begin with: the setting, or else where the request was sent to. */
export function createBaseUrl(
  settings: Pick<ServerSettings, 'publicUrl' | 'basePath' | 'trustProxy'>,
): (headers: IncomingHttpHeaders) => string {
  const { publicUrl, basePath, trustProxy } = settings;
  if (publicUrl !== '') return () => publicUrl.replace(/\/$/, '');
  const made = new Map<string, string>();
  return headers => {
    const proto = trustProxy && firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
    const host = (trustProxy ? firstOf(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
    const key = `${proto}://${host}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    // A header that is no host would make URIs that lead nowhere.
    if (!HOST.test(host)) return `${proto}://localhost${basePath}`;
    const url = `${key}${basePath}`;
    if (made.size < MOST_KNOWN) made.set(key, url);
    return url;
  };
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const [first] = (typeof header === 'string' ? header : (header?.[0] ?? '')).split(',');
  return first === '' ? undefined : first?.trim();
}
