import type { Profile } from '@tollgate/catalog';
import { policySchema } from '@tollgate/policy';

/** The text of a JSON Schema for each kind of endpoint of each profile, by the name of its file. */
export function policySchemas(profiles: readonly Profile[]): Record<string, string> {
  const schemas = profiles.flatMap(profile =>
    profile.endpoints.map(endpoint => {
      const name = `policy.${profile.name}.${endpoint}.schema.json`;
      return [name, `${JSON.stringify(policySchema(profile, endpoint), undefined, 2)}\n`] as const;
    }),
  );
  return Object.fromEntries(schemas);
}
