import type { Phase, Profile } from '@tollgate/catalog';

/** Whether rules of the phase see a response, and change that rather than the request. */
export function isResponsePhase(profile: Profile, phase: Phase): boolean {
  return profile.variables.some(fact => fact.role === 'status' && fact.phases.includes(phase));
}
