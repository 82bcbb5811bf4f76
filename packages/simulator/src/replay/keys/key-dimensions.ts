import type { Exchange } from '@tollgate/traffic';
import { splitUrl } from '../../url/split-url.ts';
import type { KeyDimension } from '../summary/breakdown.ts';

/** How each dimension is read from an exchange. */
export const KEYS: Readonly<Record<KeyDimension, (exchange: Exchange) => string | undefined>> = {
  clients: exchange => exchange.clientIp,
  paths: pathOf,
  countries: countryOf,
};

/** By its code, where that is known; by its name otherwise. An empty text says that the address has none. */
function countryOf({ geo }: Exchange): string | undefined {
  const country = geo?.countryCode || geo?.country;
  return country === '' ? undefined : country;
}

/** The recorded path, as sent; its query would make nearly every one different. */
function pathOf({ target, url }: Exchange): string | undefined {
  const whole = target ?? url;
  if (whole === undefined) return undefined;
  if (!whole.startsWith('/')) return splitUrl(whole).path || '/';
  const query = whole.indexOf('?');
  return query < 0 ? whole : whole.slice(0, query);
}
