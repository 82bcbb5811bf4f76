import type { ExternalError } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import { splitFilePart } from './file-part.ts';
import { type DirectoryFiles, findInputs } from './find-inputs.ts';

/** A file with the part of it that is meant; undefined for the whole. */
export interface InputPart {
  readonly path: string;
  readonly part: PartPath | undefined;
  /** Nobody named it: it was found in a directory. */
  readonly isFound: boolean;
}

/** The files that arguments stand for, with the parts of them that are meant, each once. */
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
