import type { ActionFact, Profile } from '@tollgate/catalog';

/**
 * Returns a profile whose variables of the connection and whose `deny` are the same on every endpoint and in every phase. The service accepts
 * `conn.tls` wherever a connection is, also where its value is never known, and `status_code` where there is no response (part A 2.13).
 */
export function openConnection(profile: Profile): Profile {
  const { phases, endpoints, variables, actions } = profile;
  const open = variables.map(fact => (fact.path.startsWith('conn.') ? { ...fact, phases, endpoints } : fact));
  const plain = actions.map(fact => (fact.type === 'deny' ? { ...fact, config: fact.config.map(anywhere) } : fact));
  return { ...profile, variables: open, actions: plain };
}

type ConfigField = ActionFact['config'][number];

function anywhere({ phases, endpoints, ...field }: ConfigField): ConfigField {
  return field;
}
