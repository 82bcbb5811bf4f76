import type { Policy } from '@tollgate/policy';
import { dependsOnOrder, type ReplayOptions } from '@tollgate/simulator';

/** Returns why a replay must decide exchange by exchange, whatever the recordings; undefined if nothing is against an engine. */
export function reasonAgainstEngine(
  policy: Policy,
  { files, traffic, seed, modules, geoip, watch, select }: ReplayOptions,
): string | undefined {
  const counting = dependsOnOrder(policy);
  if (counting !== undefined) return `\`${counting}\` keeps state across exchanges`;
  if (seed !== undefined) return 'random results of `--seed` differ from exchange to exchange';
  if (modules !== undefined) return 'modules of a route act on the traffic';
  if (geoip !== undefined) return '`--geoip` locates each client';
  if (traffic?.strict === true) return '`--strict` stops at the first record that cannot be read';
  if (select !== undefined) return 'only some exchanges are selected';
  if (watch?.decided !== undefined) return 'every decision is listed';
  if (files.includes('-') || traffic?.content !== undefined) return 'standard input can be read only once';
  return undefined;
}

/** Returns why DuckDB cannot replay recordings. */
export function reasonAgainstDuckdb(policy: Policy, { select, ...options }: ReplayOptions): string | undefined {
  if (select?.where !== undefined) return '`--where` reads every exchange with its decision';
  return reasonAgainstEngine(policy, options);
}
