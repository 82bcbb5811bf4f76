import type { SourceText, WorldError } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import type { Target } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';
import { splitFilePart } from './file-part.ts';
import { findInputs } from './find-inputs.ts';
import { readSource } from './read-source.ts';

/** A text with policies, the part of it that is meant, and what they are checked for. */
export interface PolicyText {
  /** As found; `-` for the standard input. */
  readonly path: string;
  readonly source: SourceText;
  readonly part: PartPath | undefined;
  readonly target: Target;
}

/** What {@link readPolicyTexts} needs to know. */
export interface PolicyTextOptions {
  /** Where the policies stand in files whose name does not say it. */
  readonly at?: PartPath | undefined;
  readonly targetOf: (source: SourceText) => Target | WorldError;
  readonly terminal: Terminal;
}

/** Reads the files that arguments name, one after the other. Those that cannot be read are told to `fail`. */
export async function* readPolicyTexts(
  files: readonly string[],
  { at, targetOf, terminal }: PolicyTextOptions,
  fail: (failure: WorldError) => void,
): AsyncGenerator<PolicyText> {
  for (const { path, part = at } of await findParts(files, fail)) {
    const source = await readSource(path, terminal);
    const target = source instanceof Error ? source : targetOf(source);
    if (source instanceof Error) fail(source);
    else if (target instanceof Error) fail(target);
    else yield { path, source, part, target };
  }
}

interface Input {
  readonly path: string;
  readonly part: PartPath | undefined;
}

/** The files with the parts of them that are meant, each once. */
async function findParts(files: readonly string[], fail: (failure: WorldError) => void): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  for (const { name, part } of files.map(splitFilePart)) {
    const { paths, failures } = await findInputs([name]);
    for (const failure of failures) fail(failure);
    for (const path of paths) found.set(`${path} ${JSON.stringify(part)}`, { path, part });
  }
  return [...found.values()];
}
