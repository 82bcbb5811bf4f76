import { faultAt, LIMITS } from '@tollgate/edge-api';
import { NO_FAULTS, type Rule } from './rule.ts';

/** `cidrs-bounded` */
export const cidrsBounded: Rule = async ({ parentId, before, reader }) => {
  if (before !== undefined || parentId === null) return NO_FAULTS;
  const { members = [] } = (await reader.family(parentId)) ?? {};
  const limit = LIMITS.rulesOfIpPolicy;
  return members.length < limit ? NO_FAULTS : [faultAt([], 1411, { limit })];
};
