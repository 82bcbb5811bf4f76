import { isRedirect } from '../../actions/action-parts.ts';
import { fieldNamed } from '../../profile/profile-roles.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

/** Nothing but the scheme stands before a host. */
export const BEFORE_HOST = /^(?:(?:https?:|\$scheme:)?\/\/)?$/;

/** Whether an expression stands where a redirect has its host. The value of a Location header counts as well. */
export function isAtHost({ config, offset, action }: LintedExpression): boolean {
  if (!config || !action || !BEFORE_HOST.test(config.node.value.slice(0, Math.max(0, offset - 2)))) return false;
  const isTarget = fieldNamed(action.fact?.config, config.path[0]!)?.role === 'url-replacement' && isRedirect(action);
  return isTarget || config.path.at(-1)?.toLowerCase() === 'location';
}
