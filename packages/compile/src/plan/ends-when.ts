import { inlineBodies, parseCidr } from '@tollgate/cel/tooling';
import { type Action, checkCondition, type ExpressionContext } from '@tollgate/policy';
import { alwaysChanges } from './always-changes.ts';
import { type Condition, UnsupportedError } from './condition.ts';
import { lowerCondition } from './lower-condition.ts';

/** Returns when `redirect` ends the evaluation: if the URL changes. Undefined if that is not known to be when the pattern matches. */
export function redirectsWhen({ config, expressions }: Action, context: ExpressionContext): Condition | undefined {
  const { from, to = '' } = config;
  if (expressions.length > 0 || typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (!alwaysChanges(from, to)) return undefined;
  return lowered(url => `${url}.matches(${JSON.stringify(from)})`, ['req.URL', 'req.url'], context);
}

/** Returns when `restrict-ips` refuses. Undefined if that depends on more than ranges in the policy. */
export function refusesWhen({ config, expressions }: Action, context: ExpressionContext): Condition | undefined {
  const { allow = [], deny = [], ip_policies: policies = [] } = config;
  const isEmpty = Array.isArray(policies) && policies.length === 0;
  const [allowed, denied] = [rangesOf(allow), rangesOf(deny)];
  if (expressions.length > 0 || !isEmpty || allowed === undefined || denied === undefined) return undefined;
  const [inAllowed, inDenied] = [allowed, denied].map(list => JSON.stringify(list));
  const refusal = (address: string) =>
    `!inCidrRanges(${address}, ${inAllowed}) || inCidrRanges(${address}, ${inDenied})`;
  return lowered(refusal, ['conn.ClientIP', 'conn.client_ip'], context);
}

/** Returns addresses and ranges as ranges; undefined if one is neither. */
function rangesOf(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const ranges = list.map(one =>
    String(one).includes('/') ? String(one) : `${one}/${String(one).includes(':') ? 128 : 32}`,
  );
  return ranges.every(range => parseCidr(range) !== undefined) ? ranges : undefined;
}

/** Lowers a condition on the first of these names that the profile has. */
function lowered(
  source: (name: string) => string,
  names: readonly string[],
  context: ExpressionContext,
): Condition | undefined {
  for (const name of names) {
    const { typed } = checkCondition(source(name), context);
    if (typed === undefined) continue;
    try {
      return lowerCondition(inlineBodies(typed, context.environment), context.environment);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
    }
  }
  return undefined;
}
