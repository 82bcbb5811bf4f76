import type { Exchange, HeaderField } from '@tollgate/traffic';
import { USUAL } from './exchange.ts';

/** Returns the parts of an exchange that people need: `GET https://example.com/ from 198.51.100.7 with \`X: 1\``. */
export function exchangeText(exchange: Exchange): string {
  const { method, url, clientIp, requestHeaders, response, geo } = exchange;
  const headers = shown(requestHeaders.fields.slice(1));
  const answer = [response?.status === 200 ? [] : [String(response?.status)], shown(response?.headers.fields ?? [])];
  const country = geo?.countryCode ? ` in ${geo.countryCode}` : '';
  const unusual = unusualParts(exchange);
  const connection = unusual.length === 0 ? '' : ` (${unusual.join(', ')})`;
  const sent = headers.length === 0 ? '' : ` with ${headers.join(', ')}`;
  const received = answer.flat().length === 0 ? '' : `, answered with ${answer.flat().join(', ')}`;
  return `${method} ${url} from ${clientIp}${country}${connection}${sent}${received}`;
}

/** Returns what is not ordinary about the connection and the time. */
function unusualParts({ tls, requestHeaders, protocol, time }: Exchange): readonly string[] {
  const parts: readonly (readonly [name: string, value: string | undefined, usual: string | undefined])[] = [
    ['SNI', tls?.serverName, requestHeaders.fields[0]?.value],
    ['client certificate', tls?.clientName, ''],
    ['version', tls?.version, USUAL.tlsVersion],
    ['cipher suite', tls?.cipherSuite, USUAL.cipherSuite],
    ['ALPN', tls?.alpn, ''],
    ['JA4', tls?.ja4, ''],
    ['protocol', protocol, USUAL.protocol],
    ['time', timeText(time), timeText(USUAL.time)],
  ];
  return parts.flatMap(([name, value, usual]) =>
    value === undefined || value === usual ? [] : [`${name} \`${value}\``],
  );
}

function timeText(time: number | undefined): string | undefined {
  return time === undefined || Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();
}

function shown(fields: readonly HeaderField[]): readonly string[] {
  return fields.map(({ name, value }) => `\`${name}: ${value}\``);
}
