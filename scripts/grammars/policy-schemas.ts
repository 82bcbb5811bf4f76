import type { Profile } from '@tollgate/catalog';
import { policySchema } from '@tollgate/policy';

/** Returns a JSON Schema for each profile, by file name. */
export function policySchemas(profiles: readonly Profile[]): Record<string, string> {
  const schemas = profiles.map(profile => {
    const text = `${JSON.stringify(policySchema(profile), undefined, 2)}\n`;
    return [`policy.${profile.name}.schema.json`, text] as const;
  });
  return Object.fromEntries(schemas);
}
