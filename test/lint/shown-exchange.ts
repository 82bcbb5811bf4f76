import type { Exchange, HeaderField } from '@tollgate/traffic';
import { DEFAULT_PARTS, exchangeOf } from './whole-exchanges.ts';

const SHOWN =
  /^(\S+) (https?:\/\/([^/]+)(\/\S*)) from (\S+)(?: in (\S+?))?(?: \((.*?)\))?(?: with (.*?))?(?:, answered with (\d+)?(?:, )?(`.*)?)?$/;

/** Returns the exchange that a message shows: `GET https://example.com/ from 192.0.2.1`. Throws for text of another form. */
export function exchangeShown(shown: string): Exchange {
  const [, method, url, host, target, clientIp, country, connection, headers, status, answer] = SHOWN.exec(shown) ?? [];
  if (method === undefined) throw new Error(`cannot read the request ${shown}`);
  const exchange = exchangeOf({
    ...{ ...DEFAULT_PARTS, method, host: host!, clientIp: clientIp!, country: country?.replace(/,$/, '') ?? '' },
    headers: fieldsIn(headers).map(({ name, value }) => [name, value] as const),
    status: status === undefined ? DEFAULT_PARTS.status : Number(status),
  });
  const response = { ...exchange.response!, headers: { ...exchange.response!.headers, fields: fieldsIn(answer) } };
  const [, serverName = host] = /SNI `(.*?)`/.exec(connection ?? '') ?? [];
  const [, at] = /time `(.*?)`/.exec(connection ?? '') ?? [];
  const time = at === undefined ? ORDINARY_TIME : Date.parse(at);
  return { ...exchange, time, url: url!, target: target!, response, tls: { ...exchange.tls, serverName } };
}

/** Not shown. */
const ORDINARY_TIME = Date.UTC(2026, 0, 1);

function fieldsIn(text: string | undefined): readonly HeaderField[] {
  return (text?.match(/`[^`]*`/g) ?? []).map(field => {
    const [name = '', ...value] = field.slice(1, -1).split(': ');
    return { name, value: value.join(': ') };
  });
}
