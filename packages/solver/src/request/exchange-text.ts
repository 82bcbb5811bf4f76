import type { Exchange, HeaderField } from '@tollgate/traffic';

/** Returns the parts of an exchange that people need: `GET https://example.com/ from 198.51.100.7 with \`X: 1\``. */
export function exchangeText({ method, url, clientIp, requestHeaders, response, geo }: Exchange): string {
  const headers = shown(requestHeaders.fields.slice(1));
  const answer = [response?.status === 200 ? [] : [String(response?.status)], shown(response?.headers.fields ?? [])];
  const country = geo?.countryCode ? ` in ${geo.countryCode}` : '';
  const sent = headers.length === 0 ? '' : ` with ${headers.join(', ')}`;
  const received = answer.flat().length === 0 ? '' : `, answered with ${answer.flat().join(', ')}`;
  return `${method} ${url} from ${clientIp}${country}${sent}${received}`;
}

function shown(fields: readonly HeaderField[]): readonly string[] {
  return fields.map(({ name, value }) => `\`${name}: ${value}\``);
}
