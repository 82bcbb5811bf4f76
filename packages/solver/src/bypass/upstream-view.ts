import type { Exchange } from '@tollgate/traffic';
import { upstreamPath } from './upstream-path.ts';
import type { Repeated, Upstream } from './upstreams.ts';

/** Returns a string that is equal for requests that an upstream treats alike; undefined if it answers without looking for a handler. */
export function upstreamView(exchange: Exchange, upstream: Upstream): string | undefined {
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(exchange.target ?? '/') ?? [];
  const own = upstreamPath(path, upstream);
  if (own === undefined) return undefined;
  const fields = exchange.requestHeaders.fields.map(({ name, value }) => [name.toLowerCase(), value] as const);
  const host = fields.find(([name]) => name === 'host')?.[1];
  const others = fields.filter(([name]) => name !== 'host');
  return JSON.stringify([
    exchange.method,
    host === undefined || !upstream.ignoresHostForm.value ? host : host.toLowerCase().replace(/\.(?=:|$)/, ''),
    own,
    read(others, upstream.headers.value),
    read([...new URLSearchParams(query)], upstream.parameters.value),
    exchange.clientIp,
  ]);
}

/** Returns what is read under each name, in order of names. */
function read(pairs: readonly (readonly [name: string, value: string])[], repeated: Repeated): readonly unknown[] {
  const groups = Map.groupBy(pairs, ([name]) => name);
  const read = [...groups].map(([name, all]) => {
    const values = all.map(([, value]) => value);
    return [name, repeated === 'first' ? values[0] : values.join(', ')] as const;
  });
  return read.sort(([a], [b]) => (a < b ? -1 : 1));
}
