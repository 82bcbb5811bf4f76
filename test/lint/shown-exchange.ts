import type { Exchange } from '@tollgate/traffic';
import { DEFAULT_PARTS, exchangeOf } from './whole-exchanges.ts';

const SHOWN = /^(\S+) (https?:\/\/([^/]+)(\/\S*)) from (\S+)(?: in (\S+?))?(?: with (.*?))?(?:, answered with (\d+))?$/;

/** Returns the exchange that a message shows: `GET https://example.com/ from 192.0.2.1`. Throws for text of another form. */
export function exchangeShown(shown: string): Exchange {
  const [, method, url, host, target, clientIp, country, headers, status] = SHOWN.exec(shown) ?? [];
  if (method === undefined) throw new Error(`cannot read the request ${shown}`);
  const exchange = exchangeOf({
    ...{ ...DEFAULT_PARTS, method, host: host!, clientIp: clientIp!, country: country?.replace(/,$/, '') ?? '' },
    headers: (headers?.match(/`[^`]*`/g) ?? []).map(field => {
      const [name = '', ...value] = field.slice(1, -1).split(': ');
      return [name, value.join(': ')] as const;
    }),
    status: status === undefined ? DEFAULT_PARTS.status : Number(status),
  });
  return { ...exchange, url: url!, target: target! };
}
