import { faultAt, LIMITS } from '@tollgate/edge-api';
import { type Members, membersAt, parseBody, stringAt } from '../../api/members.ts';
import { NO_FAULTS, type Rule } from './rule.ts';

const SIGN_ON = ['oauth', 'oidc', 'saml'] as const;

/** `one-sign-on-module` */
export const oneSignOnModule: Rule = ({ after }) => {
  const enabled = signOnModules(after);
  return enabled.length > 1 ? [faultAt([enabled[1]!], 7079, { value: enabled.join(', ') })] : NO_FAULTS;
};

/** `sign-on-needs-path` */
export const signOnNeedsPath: Rule = ({ after }) => {
  const [module] = signOnModules(after);
  if (module === undefined || stringAt(after, 'match')?.startsWith('/')) return NO_FAULTS;
  return [faultAt([module], 7134, { value: module })];
};

/** `one-sign-on-route` */
export const oneSignOnRoute: Rule = async ({ id, parentId, after, reader }) => {
  const [module] = signOnModules(after);
  if (module === undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  const other = members.find(member => member.id !== id && signOnModules(parseBody(member.body)).length > 0);
  return other ? [faultAt([module], 7155, { value: other.id })] : NO_FAULTS;
};

/** `routes-bounded` */
export const routesBounded: Rule = async ({ parentId, before, reader }) => {
  if (before !== undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  return members.length < LIMITS.routes ? NO_FAULTS : [faultAt([], 7128, { limit: LIMITS.routes })];
};

function signOnModules(route: Members): readonly string[] {
  return SIGN_ON.filter(name => membersAt(route, name)?.enabled === true);
}
