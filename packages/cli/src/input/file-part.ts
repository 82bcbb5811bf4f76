import { existsSync } from 'node:fs';
import { type PartPath, parsePartPath } from '@tollgate/policy';

/** A file, or pattern of files, and the part of it that is meant. */
export interface FilePart {
  readonly name: string;
  /** Undefined for the whole. */
  readonly part: PartPath | undefined;
}

/**
 * Splits `deploy.yaml#/spec/policy` and `policies.yaml#2` in two. What follows the `#` belongs to the name where it is no such
 * path, or where there is a file of that name.
 */
export function splitFilePart(argument: string): FilePart {
  const at = argument.lastIndexOf('#');
  const part = at > 0 ? parsePartPath(argument.slice(at + 1)) : undefined;
  const isName = !part || argument.endsWith('#') || existsSync(argument);
  return isName ? { name: argument, part: undefined } : { name: argument.slice(0, at), part };
}
