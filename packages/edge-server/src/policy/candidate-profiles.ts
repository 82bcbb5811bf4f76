import { EDGE_V2, EDGE_V2_SNAKE, PROFILES, type Profile } from '@tollgate/catalog';
import { detectProfile } from '@tollgate/policy';
import type { PolicyInRequest } from './policy-in-request.ts';

/** Returns the profiles that a policy may be written in, the detected one first. The object of `/policy` has the phases of the older two. */
export function candidateProfiles({ source, form }: Pick<PolicyInRequest, 'source' | 'form'>): readonly Profile[] {
  const detected = detectProfile(source.text).profile;
  const possible = form === 'object' ? [EDGE_V2, EDGE_V2_SNAKE] : PROFILES;
  return possible.toSorted((a, b) => Number(b.name === detected.name) - Number(a.name === detected.name));
}
