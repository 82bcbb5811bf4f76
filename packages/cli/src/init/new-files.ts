// Writes files that must not exist yet, and asks a person to choose.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import type { NamedBy } from '../trust/confinement.ts';
import { replaceFile } from '../trust/replace-file.ts';

/** A file to create. */
export interface NewFile {
  /** Relative to the directory of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Creates the files that do not exist yet, and says for each what happened. Returns the paths of those that exist. */
export async function writeNewFiles(
  files: readonly NewFile[],
  directory: string,
  terminal: Terminal,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const { path, text } of files) {
    if (existsSync(join(directory, path))) {
      kept.add(path);
      terminal.write(`exists   ${printable(path)}\n`);
      continue;
    }
    await create(join(directory, path), text, { repositoryOf: directory });
    terminal.write(`created  ${printable(path)}\n`);
  }
  return kept;
}

/** Creates one file, which must not exist. @throws ExternalError */
export async function createFile(path: string, text: string): Promise<void> {
  if (existsSync(resolve(path))) throw new ExternalError('file/exists', `\`${path}\` already exists`);
  await create(resolve(path), text, 'user');
}

async function create(path: string, text: string, by: NamedBy): Promise<void> {
  const failure = await replaceFile(path, text, { by });
  if (failure) throw failure;
}

/** Something to choose. */
export interface Choice {
  readonly name: string;
  readonly summary: string;
}

/** A question with a list of answers. */
interface Question {
  readonly question: string;
  readonly choices: readonly Choice[];
  /** True if at least one must be chosen. */
  readonly isRequired?: true;
}

/**
 * Asks a person to choose from a list, by numbers or names; an empty answer chooses nothing. Asks again after a wrong answer. Returns
 * undefined if there is nobody to ask.
 */
async function choose(
  { question, choices, isRequired }: Question,
  { ask, writeError }: Terminal,
): Promise<readonly string[] | undefined> {
  if (!ask) return undefined;
  const width = Math.max(...choices.map(({ name }) => name.length));
  const lines = choices.map(({ name, summary }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${summary}\n`);
  writeError(`${question}\n${lines.join('')}`);
  const prompt = `Numbers or names, separated by commas${isRequired ? '' : ' (Enter for none)'}: `;
  for (;;) {
    const words = (await ask(prompt)).split(/[\s,]+/).filter(word => word !== '');
    const chosen = words.map(word => choices.find(({ name }, index) => name === word || String(index + 1) === word));
    const wrong = words.find((_, index) => chosen[index] === undefined);
    if (wrong === undefined && (words.length > 0 || !isRequired))
      return [...new Set(chosen.flatMap(one => one?.name ?? []))];
    writeError(
      wrong === undefined ? 'Choose at least one.\n' : `There is no \`${printable(wrong)}\`; choose from the list.\n`,
    );
  }
}

/** Returns what was named on the command line, or what a person chooses. @throws UsageError if there is nobody to ask */
export async function namedOrChosen(
  named: readonly string[] | undefined,
  question: Question & { readonly option: string },
  terminal: Terminal,
): Promise<readonly string[]> {
  const chosen = named ?? (await choose(question, terminal));
  if (chosen) return [...new Set(chosen)];
  if (!question.isRequired) return [];
  const names = question.choices.map(({ name }) => `\`${name}\``).join(', ');
  throw new UsageError(`there is no terminal to ask; pass \`${question.option}\` with one or more of ${names}`);
}
