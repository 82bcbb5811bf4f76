import type { SourceText, WorldError } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import type { Target } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';
import { findParts } from './find-parts.ts';
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
  const failed: WorldError[] = [];
  const parts = await findParts(files, failed);
  for (const failure of failed) fail(failure);
  for (const { path, part = at } of parts) {
    const source = await readSource(path, terminal);
    const target = source instanceof Error ? source : targetOf(source);
    if (source instanceof Error) fail(source);
    else if (target instanceof Error) fail(target);
    else yield { path, source, part, target };
  }
}
