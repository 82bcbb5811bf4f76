import type { TestMessage, WrittenExchange } from '@tollgate/policy';
import type { Exchange, HeaderFacts } from '@tollgate/traffic';

/** Returns an exchange as a policy test states it, as far as tests can. */
export function writtenExchange(exchange: Exchange): WrittenExchange {
  const { time, clientIp, tls, method, target, protocol, requestHeaders, response } = exchange;
  const url = exchange.url ?? target;
  const connection = {
    ...(clientIp !== undefined && { client_ip: clientIp }),
    ...tlsOf(tls),
  };
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    ...(Object.keys(connection).length > 0 && { connection }),
    request: {
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(protocol !== undefined && { protocol }),
      ...messageOf(requestHeaders),
    },
    ...(response && {
      response: { ...(response.status !== undefined && { status: response.status }), ...messageOf(response.headers) },
    }),
  };
}

function tlsOf({ version, cipherSuite, serverName }: Exchange['tls']): NonNullable<WrittenExchange['connection']> {
  const tls = {
    ...(version !== undefined && { version }),
    ...(cipherSuite !== undefined && { cipher_suite: cipherSuite }),
    ...(serverName !== undefined && { server_name: serverName }),
  };
  return Object.keys(tls).length > 0 ? { tls } : {};
}

/** Headers with one name are a list, under its first spelling. */
function messageOf({ fields, absent, complete }: HeaderFacts): TestMessage {
  const headers = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const { name, value } of fields) {
    const known = headers.get(name.toLowerCase());
    if (known) known.values.push(value);
    else headers.set(name.toLowerCase(), { name, values: [value] });
  }
  const present = Array.from(
    headers.values(),
    ({ name, values }) => [name, values.length === 1 ? values[0]! : values] as const,
  );
  const missing = absent.filter(name => !headers.has(name)).map(name => [name, null] as const);
  const all = Object.fromEntries([...present, ...missing]);
  return { ...(Object.keys(all).length > 0 && { headers: all }), ...(complete && { no_other_headers: true }) };
}
