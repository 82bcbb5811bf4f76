import type { Profile } from '@tollgate/catalog';

/**
 * Returns a profile whose variables of the connection exist on every endpoint and in every phase. The service accepts
 * `conn.tls` wherever a connection is, also where its value is never known.
 */
export function openConnection(profile: Profile): Profile {
  const { phases, endpoints, variables } = profile;
  const open = variables.map(fact => (fact.path.startsWith('conn.') ? { ...fact, phases, endpoints } : fact));
  return { ...profile, variables: open };
}
