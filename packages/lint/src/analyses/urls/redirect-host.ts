import { isRedirect } from '../../actions/action-parts.ts';
import { fieldNamed } from '../../profile/profile-roles.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

/** Matches what may precede a host: nothing but a scheme. */
export const BEFORE_HOST = /^(?:(?:https?:|\$scheme:)?\/\/)?$/;

/** Returns true if an expression supplies the host of a redirect, in its target or in a Location header. */
export function isAtHost({ config, offset, action }: LintedExpression): boolean {
  if (!config || !action || !BEFORE_HOST.test(config.node.value.slice(0, Math.max(0, offset - 2)))) return false;
  const isTarget = fieldNamed(action.fact?.config, config.path[0]!)?.role === 'url-replacement' && isRedirect(action);
  return isTarget || config.path.at(-1)?.toLowerCase() === 'location';
}
