// Exchanges that are made of the literals of policies.

import type { Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Policy } from '@tollgate/policy';
import type { Exchange, HeaderField } from '@tollgate/traffic';

/** Number of exchanges to generate for a policy. */
const PROBES = 600;

/** Values to build exchanges from: those that the policy compares with, and one other value for each input. */
interface ProbeValues {
  readonly methods: readonly string[];
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly statuses: readonly number[];
}

/**
 * Returns exchanges that a policy may treat differently. They are built deterministically from the strings and numbers in its conditions.
 * They can show that two versions of a policy differ, but not that they are equivalent.
 */
export function probeExchanges(policies: readonly Policy[]): readonly Exchange[] {
  const probeValues = probeValuesOf(policies);
  return Array.from({ length: PROBES }, (_, index) => probe(probeValues, index));
}

function probeValuesOf(policies: readonly Policy[]): ProbeValues {
  const texts = new Set<string>();
  const statuses = new Set<number>([200, 404, 500]);
  for (const { literal } of policies.flatMap(literalsOf)) {
    if (literal.type === 'string' && literal.value.length < 200) texts.add(literal.value);
    if (literal.type === 'int' && literal.value >= 100 && literal.value <= 599) statuses.add(Number(literal.value));
  }
  const all = [...texts];
  const matching = (pattern: RegExp) => all.filter(text => pattern.test(text));
  const paths = matching(/^\/[^\s?#]*$/);
  for (const text of matching(/^[1-5]\d\d$/)) statuses.add(Number(text));
  return {
    methods: ['GET', ...matching(/^[A-Z]{3,10}$/)],
    paths: ['/', ...paths, ...paths.map(path => `${path}x`), ...paths.map(path => `${path}/x?q=1`)],
    hosts: ['example.com', ...matching(/^[\w-]+(?:\.[\w-]+)+$/)],
    addresses: ['192.0.2.1', ...matching(/^[\d.]+(?:\/\d+)?$|^[\da-f:]*::[\da-f:]*(?:\/\d+)?$/i).map(withoutLength)],
    names: matching(/^[A-Za-z][\w-]*$/),
    values: ['', ...matching(/^[\x20-\x7e]*$/)],
    statuses: [...statuses],
  };
}

function withoutLength(range: string): string {
  return range.replace(/\/\d+$/, '');
}

function literalsOf({ rules }: Policy): readonly Extract<Expr, { readonly kind: 'literal' }>[] {
  const found: Extract<Expr, { readonly kind: 'literal' }>[] = [];
  const visit = (node: Expr): void => {
    if (node.kind === 'literal') found.push(node);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const { expressions } of Object.values(rules).flat()) {
    for (const { typed } of expressions) if (typed) visit(typed.ast.root);
  }
  return found;
}

function probe(from: ProbeValues, index: number): Exchange {
  const random = randomFrom(index + 1);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const path = pick(from.paths);
  const host = pick(from.hosts);
  const fields: HeaderField[] = [{ name: 'Host', value: host }];
  for (const name of from.names) if (random(3) === 0) fields.push({ name, value: pick(from.values) });
  const response = from.names.flatMap(name => (random(4) === 0 ? [{ name, value: pick(from.values) }] : []));
  return {
    place: { file: 'made up', number: index + 1, unit: 'entry' },
    time: Date.UTC(2026, 0, 1, 0, 0, index),
    clientIp: pick(from.addresses),
    tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: host },
    method: pick(from.methods),
    target: path,
    url: `https://${host}${path}`,
    protocol: 'HTTP/1.1',
    requestHeaders: { fields, absent: [], complete: true, withheld: [] },
    response: {
      status: pick(from.statuses),
      headers: { fields: response, absent: [], complete: true, withheld: [] },
      bodySize: 100,
    },
  };
}

/** Returns pseudorandom numbers below a bound, the same ones for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return below => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) + 0x6d2b79f5;
    return ((state ^ (state >>> 15)) >>> 0) % below;
  };
}
