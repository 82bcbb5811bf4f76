import type { ExternalError } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import { splitFilePart } from './file-part.ts';
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
