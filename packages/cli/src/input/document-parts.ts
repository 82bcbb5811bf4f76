// Parts of files that arguments name: `FILE#PATH`.

import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { ExternalError, type SourceText } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  type EmbeddedSettings,
  findPolicies,
  isEmbeddingFormat,
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

/** Returns what a test file says for `policy:`: the argument relative to the file, with its part. */
export function policyFrom(testFile: string, argument: string): string {
  const { name } = splitFilePart(argument);
  return `${relative(dirname(testFile), name).replaceAll('\\', '/')}${argument.slice(name.length)}`;
}

/**
 * Returns the policy at a path in a file; without a path, the only policy in it. A file that is meant as a policy but not recognized is one.
 * Returns an error if the file contains none, or several.
 */
export function singlePolicy(
  file: SourceText,
  part: PartPath | undefined,
  embeddedSettings: EmbeddedSettings,
): EmbeddedPolicy | ExternalError {
  if (part) return namedPolicy(file, part, embeddedSettings);
  const found = findPolicies(file, embeddedSettings);
  const isMeant = found.length === 0 && (file.uri === '<stdin>' || isMeantAsPolicy(file));
  if (isMeant) return policyAt(file, { document: undefined, steps: [] });
  if (found.length === 0) return new ExternalError('usage/no-policy', `no policy in \`${file.uri}\``);
  if (found.length === 1) return found[0]!;
  const message = `\`${file.uri}\` contains ${found.length} policies; name one: ${addresses(found)}`;
  return new ExternalError('file/several-policies', message);
}

/**
 * Returns the policy at a path in a file. Of a path that leads nowhere, the analysis says how much of it exists; in Markdown and Terraform, whose
 * files are no documents, an error names the policies that are there.
 */
export function namedPolicy(
  file: SourceText,
  part: PartPath,
  embeddedSettings: EmbeddedSettings,
): EmbeddedPolicy | ExternalError {
  const address = partAddress(part);
  if (!isEmbeddingFormat(file.uri)) return policyAt(file, part, embeddedSettings);
  const found = findPolicies(file, embeddedSettings);
  const named = found.find(({ path }) => partAddress(path) === address);
  if (named) return named;
  const rest = found.length === 0 ? `, and no other in the file` : `; name one of: ${addresses(found)}`;
  return new ExternalError('usage/no-policy', `no policy at \`${file.uri}#${address}\`${rest}`);
}

function addresses(found: readonly EmbeddedPolicy[]): string {
  const names = found.slice(0, MAX_SHOWN).map(({ file, path }) => `\`${file.uri}#${partAddress(path)}\``);
  return names.join(', ') + (found.length > MAX_SHOWN ? `, and ${found.length - MAX_SHOWN} more` : '');
}

/** Maximum number of policies to name. */
const MAX_SHOWN = 5;
