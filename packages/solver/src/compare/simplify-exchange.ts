import type { Exchange } from '@tollgate/traffic';

/** Returns the exchange with as many parts as possible left out or ordinary while it stays what it is wanted for. */
export function simplifyExchange(exchange: Exchange, isWanted: (exchange: Exchange) => boolean): Exchange {
  let current = exchange;
  const attempt = (changed: Exchange) => {
    if (isWanted(changed)) current = changed;
  };
  if (current.method !== 'GET') attempt({ ...current, method: 'GET' });
  if (current.clientIp !== USUAL_ADDRESS) attempt({ ...current, clientIp: USUAL_ADDRESS });
  const host = current.requestHeaders.fields[0]!.value;
  const [path] = (current.target ?? '').split('?');
  for (const target of ['/', path!]) {
    if (target !== current.target) attempt({ ...current, target, url: `https://${host}${target}` });
  }
  for (const field of current.requestHeaders.fields.slice(1)) {
    const fields = current.requestHeaders.fields.filter(other => other !== field);
    attempt({ ...current, requestHeaders: { ...current.requestHeaders, fields } });
  }
  const { response } = current;
  if (response !== undefined) {
    attempt({ ...current, response: { ...response, status: 200, headers: { ...response.headers, fields: [] } } });
    if (response.status !== 200) attempt({ ...current, response: { ...response, status: 200 } });
  }
  return current;
}

const USUAL_ADDRESS = '198.51.100.7';
