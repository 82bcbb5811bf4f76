import { parseCidr } from '@tollgate/cel/tooling';
import type { Rule } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { addressesIn, addressString } from '../values/addresses.ts';

/**
 * Returns exchanges that differ from this one in what the actions of rules depend on: headers that they name, addresses that they list,
 * paths that they rewrite. An action without effect on the original may have one on these.
 */
export function exchangeVariants(exchange: Exchange, rules: readonly Rule[]): readonly Exchange[] {
  const found = new Map<string, Exchange>();
  const hints = [...new Set(rules.flatMap(rule => rule.actions.flatMap(({ config }) => hintsIn(config))))];
  for (const hint of hints.slice(0, MAX_HINTS)) {
    for (const variant of variantsFor(exchange, hint)) found.set(JSON.stringify(variant), variant);
  }
  return [...found.values()];
}

const MAX_HINTS = 60;

/** Returns all strings in a configuration, keys included. */
export function hintsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(hintsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...hintsIn(inner)]);
}

function variantsFor(exchange: Exchange, hint: string): readonly Exchange[] {
  const cidr = parseCidr(hint) ?? parseCidr(`${hint}/32`) ?? parseCidr(`${hint}/128`);
  if (cidr !== undefined) return [{ ...exchange, clientIp: addressString(addressesIn(cidr)[0]) }];
  if (HEADER_NAME.test(hint)) return [withHeader(exchange, hint)];
  const path = /^\^?(?:https?:\/\/[^/]*)?(\/[\w./-]*)/.exec(hint)?.[1];
  return path === undefined ? [] : withPath(exchange, path);
}

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

function withHeader(exchange: Exchange, name: string): Exchange {
  const { requestHeaders } = exchange;
  if (requestHeaders.fields.some(field => field.name.toLowerCase() === name.toLowerCase())) return exchange;
  return {
    ...exchange,
    requestHeaders: { ...requestHeaders, fields: [...requestHeaders.fields, { name, value: 'a' }] },
  };
}

/** The path may be all of the URL's path, its beginning or a part of it; a query may contain it too. */
function withPath(exchange: Exchange, path: string): readonly Exchange[] {
  const host = exchange.requestHeaders.fields[0]!.value;
  const [own = '/', query] = (exchange.target ?? '/').split('?');
  const targets = [
    path,
    `${path}${own}`,
    own === '/' ? `/x${path}` : `${own}${path}`,
    `${own}?${query ?? 'x'}&${path}`,
  ];
  return targets.map(target => ({ ...exchange, target, url: `https://${host}${target}` }));
}
