import type { WorldError } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import { splitFilePart } from './file-part.ts';
import { findInputs } from './find-inputs.ts';

/** A file with the part of it that is meant; undefined for the whole. */
export interface InputPart {
  readonly path: string;
  readonly part: PartPath | undefined;
}

/** The files that arguments stand for, with the parts of them that are meant, each once. */
export async function findParts(names: readonly string[], failed: WorldError[]): Promise<readonly InputPart[]> {
  const found = new Map<string, InputPart>();
  for (const { name, part } of names.map(splitFilePart)) {
    const { paths, failures } = await findInputs([name]);
    failed.push(...failures);
    for (const path of paths) found.set(`${path} ${JSON.stringify(part)}`, { path, part });
  }
  return [...found.values()];
}
