import { ExternalError, type SourceText } from '@tollgate/diagnostics';
import {
  type CarrierSettings,
  type EmbeddedPolicy,
  findPolicies,
  type PartPath,
  partAddress,
  policyAt,
} from '@tollgate/policy';

/**
 * Returns the policy at a path in a file; without a path, the only policy in it. A file without any is taken for a policy. Returns
 * an error if the file contains several.
 */
export function singlePolicy(
  file: SourceText,
  part: PartPath | undefined,
  carriers: CarrierSettings,
): EmbeddedPolicy | ExternalError {
  if (part) return policyAt(file, part, carriers);
  const found = findPolicies(file, carriers);
  if (found.length < 2) return found[0] ?? policyAt(file, { document: undefined, steps: [] });
  const names = found.slice(0, SHOWN).map(({ path }) => `\`${file.uri}#${partAddress(path)}\``);
  const rest = found.length > SHOWN ? `, and ${found.length - SHOWN} more` : '';
  const message = `\`${file.uri}\` contains ${found.length} policies; name one: ${names.join(', ')}${rest}`;
  return new ExternalError('file/several-policies', message);
}

/** Maximum number of policies to name. */
const SHOWN = 5;
