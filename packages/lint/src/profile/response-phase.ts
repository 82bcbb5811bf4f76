import type { Phase, Profile } from '@tollgate/catalog';

/** Returns true if rules of the phase see a response and change it rather than the request. */
export function isResponsePhase(profile: Profile, phase: Phase): boolean {
  return profile.variables.some(fact => fact.role === 'status' && fact.phases.includes(phase));
}
