import { decisionValuesOf, type ReplayOptions, readTrafficCondition, type TrafficSelection } from '@tollgate/simulator';
import type { LoadedPolicy } from '../policies/load-policy.ts';
import { UsageError } from '../process/usage-error.ts';
import type { SelectionOptions } from './options/selection-options.ts';

/** Returns which exchanges to report; undefined for all. Throws a {@link UsageError} if `--where` has errors. */
export function selectionOf(
  { where, sample, since, until, seed = 0 }: SelectionOptions & { readonly seed?: number },
  { policy, target: { profile }, environments }: LoadedPolicy,
  { assumptions, now }: Pick<ReplayOptions, 'assumptions' | 'now'>,
): TrafficSelection | undefined {
  if (where === undefined && sample === undefined && since === undefined && until === undefined) return undefined;
  const parts = {
    ...(sample && { sample: { ...sample, seed } }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  if (where === undefined) return parts;
  const read = readTrafficCondition(where, {
    ...{ profile, environments, endpoint: policy.endpoint, decisions: ['decision'] },
    ...(assumptions && { assumptions }),
    ...(now !== undefined && { now }),
  });
  if ('diagnostics' in read) throw new UsageError(`--where \`${where}\`: ${read.diagnostics[0]?.message}`);
  const valuesOf = decisionValuesOf(policy, profile, 'decision');
  return { ...parts, where: (exchange, verdict) => read.holds(exchange, { decision: valuesOf(exchange, verdict) }) };
}
