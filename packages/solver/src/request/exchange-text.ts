import type { Exchange } from '@tollgate/traffic';

/** Returns the parts of an exchange that people need: `GET https://example.com/ from 198.51.100.7 with \`X: 1\``. */
export function exchangeText({ method, url, clientIp, requestHeaders, response, geo }: Exchange): string {
  const headers = requestHeaders.fields.slice(1).map(({ name, value }) => `\`${name}: ${value}\``);
  const country = geo?.countryCode ? ` in ${geo.countryCode}` : '';
  const status = response?.status === 200 ? '' : `, answered with ${response?.status}`;
  return `${method} ${url} from ${clientIp}${country}${headers.length === 0 ? '' : ` with ${headers.join(', ')}`}${status}`;
}
