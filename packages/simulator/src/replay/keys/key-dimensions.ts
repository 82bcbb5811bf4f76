import type { Exchange } from '@tollgate/traffic';
import { splitUrl } from '../../url/split-url.ts';
import { shortKey } from '../counting/frequent-keys.ts';
import type { KeyDimension } from '../summary/breakdown.ts';

/** How each dimension is read from an exchange. */
export const KEYS: Readonly<Record<KeyDimension, (exchange: Exchange) => string | undefined>> = {
  clients: exchange => exchange.clientIp,
  paths: pathOf,
  countries: countryOf,
};

/** Returns the country code if known, otherwise the name. An empty string means that the address has none. */
function countryOf({ geo }: Exchange): string | undefined {
  const country = geo?.countryCode || geo?.country;
  return country === '' ? undefined : country;
}

/** Returns the recorded path as sent; with its query, nearly every one would be distinct. */
function pathOf(exchange: Exchange): string | undefined {
  const whole = exchange.target ?? exchange.url;
  if (whole === undefined) return undefined;
  if (!whole.startsWith('/')) return splitUrl(whole).path || '/';
  const query = whole.indexOf('?');
  return query < 0 ? whole : whole.slice(0, query);
}

/** Returns a path up to its second slash: `/admin/` for `/admin/users`; the whole path if it has only one. */
export function prefixOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end + 1);
}

/** Returns the key under which an exchange is listed in a dimension; undefined if it is unknown. `prefixes` are those of paths. */
export function listedKey(exchange: Exchange, dimension: KeyDimension | 'prefixes'): string | undefined {
  const key = KEYS[dimension === 'prefixes' ? 'paths' : dimension](exchange);
  return key === undefined ? undefined : shortKey(dimension === 'prefixes' ? prefixOf(key) : key);
}
