import { existsSync } from 'node:fs';
import { type PartPath, parsePartPath } from '@tollgate/policy';

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
