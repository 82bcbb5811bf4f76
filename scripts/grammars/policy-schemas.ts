import type { Profile } from '@tollgate/catalog';
import { policySchema } from '@tollgate/policy';

/** Returns a JSON Schema for each endpoint kind of each profile, by file name. */
export function policySchemas(profiles: readonly Profile[]): Record<string, string> {
  const schemas = profiles.flatMap(profile =>
    profile.endpoints.map(endpoint => {
      const name = `policy.${profile.name}.${endpoint}.schema.json`;
      return [name, `${JSON.stringify(policySchema(profile, endpoint), undefined, 2)}\n`] as const;
    }),
  );
  return Object.fromEntries(schemas);
}
