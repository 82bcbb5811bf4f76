// Files of which an argument names a part: `FILE#PATH`.

import { existsSync } from 'node:fs';
import { ExternalError, type SourceText } from '@tollgate/diagnostics';
import {
  type CarrierSettings,
  type EmbeddedPolicy,
  findPolicies,
  isMeantAsPolicy,
  type PartPath,
  parsePartPath,
  partAddress,
  policyAt,
} from '@tollgate/policy';
import { type DirectoryFiles, findInputs } from './find-inputs.ts';

/** A file and the selected part of it; undefined for the whole file. */
export interface InputPart {
  readonly path: string;
  readonly part: PartPath | undefined;
  /** True if the file was found in a directory, not named. */
  readonly isFound: boolean;
}

/** Returns the files that arguments name, each with its selected part, without duplicates. */
export async function findParts(
  names: readonly string[],
  failed: ExternalError[],
  files?: DirectoryFiles,
): Promise<readonly InputPart[]> {
  const parts = new Map<string, InputPart>();
  for (const { name, part } of names.map(splitFilePart)) {
    const { paths, found, failures } = await findInputs([name], files);
    failed.push(...failures);
    for (const path of paths) {
      const key = `${path} ${JSON.stringify(part)}`;
      parts.set(key, { path, part, isFound: found.has(path) && parts.get(key)?.isFound !== false });
    }
  }
  return [...parts.values()];
}

/** A file or glob pattern, and the selected part of it. */
interface FilePart {
  readonly name: string;
  /** Undefined for the whole file. */
  readonly part: PartPath | undefined;
}

/**
 * Splits `deploy.yaml#/spec/policy` and `policies.yaml#2` into file and part. If the fragment is not a valid path, or a file with the full
 * name exists, it belongs to the file name.
 */
export function splitFilePart(argument: string): FilePart {
  const at = argument.lastIndexOf('#');
  const part = at > 0 ? parsePartPath(argument.slice(at + 1)) : undefined;
  const isName = !part || argument.endsWith('#') || existsSync(argument);
  return isName ? { name: argument, part: undefined } : { name: argument.slice(0, at), part };
}

/**
 * Returns the policy at a path in a file; without a path, the only policy in it. A file that is meant as a policy but not recognized is one.
 * Returns an error if the file contains none, or several.
 */
export function singlePolicy(
  file: SourceText,
  part: PartPath | undefined,
  carriers: CarrierSettings,
): EmbeddedPolicy | ExternalError {
  if (part) return policyAt(file, part, carriers);
  const found = findPolicies(file, carriers);
  const isMeant = found.length === 0 && (file.uri === '<stdin>' || isMeantAsPolicy(file));
  if (isMeant) return policyAt(file, { document: undefined, steps: [] });
  if (found.length === 0) return new ExternalError('usage/no-policy', `no policy in \`${file.uri}\``);
  if (found.length === 1) return found[0]!;
  const names = found.slice(0, MAX_SHOWN).map(({ path }) => `\`${file.uri}#${partAddress(path)}\``);
  const rest = found.length > MAX_SHOWN ? `, and ${found.length - MAX_SHOWN} more` : '';
  const message = `\`${file.uri}\` contains ${found.length} policies; name one: ${names.join(', ')}${rest}`;
  return new ExternalError('file/several-policies', message);
}

/** Maximum number of policies to name. */
const MAX_SHOWN = 5;
