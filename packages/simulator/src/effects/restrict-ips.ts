import { EvaluationError, Unknown } from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import { textsOf } from './config.ts';
import { type ActionContext, type Effect, type PrepareAction, refusal } from './effect.ts';

/** Traffic passes when an entry of `allow` holds its address and none of `deny` does; a list that is not written holds none. */
export const restrictIps: PrepareAction = (config, context) => {
  if (config.enforce === false) return state => ({ kind: 'continues', state, idle: true });
  const isAllowed = inRanges(textsOf(config.allow), context);
  const isDenied = inRanges(textsOf(config.deny), context);
  const policies = textsOf(config.ip_policies).map(id => `the IP policy \`${id}\``);
  const outcome = refusal({ kind: 'refused', status: 403, action: 'restrict-ips' }, context);
  return (state): Effect => {
    const [allowed, denied] = [isAllowed(state), isDenied(state)];
    if (denied === true || (allowed === false && policies.length === 0)) return { kind: 'ends', outcome };
    const needs = [
      ...policies,
      ...[allowed, denied].flatMap(found => (found instanceof Unknown ? found.attributes : [])),
    ];
    if (needs.length === 0) return { kind: 'continues', state, idle: true };
    return { kind: 'may-end', outcome, state, needs: [...new Set(needs)].sort() };
  };
};

function inRanges(ranges: readonly string[], context: ActionContext): ReturnType<ActionContext['compile']> {
  const list = JSON.stringify(ranges.map(withPrefixLength));
  const evaluate = context.compile(`inCidrRanges(conn.ClientIP, ${list})`);
  return state => {
    const found = evaluate(state);
    if (found instanceof EvaluationError) throw new InternalError(found.message);
    return found;
  };
}

/** An address alone is the range that holds only it. */
function withPrefixLength(range: string): string {
  if (range.includes('/')) return range;
  return `${range}/${range.includes(':') ? 128 : 32}`;
}
