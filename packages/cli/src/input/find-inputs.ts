// The files that arguments name: files, directories and patterns.

import { type Stats, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { INVARIANTS_NAME, TESTS_NAME } from '@tollgate/core/documents';
import { ExternalError } from '@tollgate/diagnostics';

/** The argument that stands for standard input. */
export const STANDARD_INPUT = '-';

/** The files that arguments name. */
interface Inputs {
  /** Without duplicates, in the order of the arguments; those of one argument are sorted. */
  readonly paths: readonly string[];
  /** The paths that were found in directories, not named. */
  readonly found: ReadonlySet<string>;
  /** One for each argument that matches no file. */
  readonly failures: readonly ExternalError[];
}

/** The files that a directory argument stands for. */
export interface DirectoryFiles {
  readonly pattern: string;
  /** Excludes files by their base name. */
  readonly isIncluded: (name: string) => boolean;
  /** Noun for the message `no … in`. */
  readonly what: string;
}

/** Matches files of Tollgate that are not policies. */
const TOLLGATE_FILES = /^(?:tollgate\.yaml|tollgate-baseline\.json|\.tollgate-cache\.json)$/;

/** Policies, policy tests and invariants. */
export const POLICIES_AND_TESTS: DirectoryFiles = {
  pattern: '**/*.{yaml,yml,json,tf,tofu,md,mdx}',
  isIncluded: name => !TOLLGATE_FILES.test(name),
  what: 'YAML, JSON, Terraform or Markdown file',
};

const POLICIES: DirectoryFiles = {
  ...POLICIES_AND_TESTS,
  isIncluded: name => !TOLLGATE_FILES.test(name) && !TESTS_NAME.test(name) && !INVARIANTS_NAME.test(name),
};

/**
 * Resolves files, directories and glob patterns (some shells pass them on). A directory stands for the files below it that may contain policies, except
 * settings, policy tests, and everything in `node_modules` and hidden directories.
 */
export async function findInputs(names: readonly string[], files = POLICIES): Promise<Inputs> {
  const named = new Set<string>();
  const paths = new Set<string>();
  const failures: ExternalError[] = [];
  for (const name of names) {
    const expanded = await expand(name, files);
    if (expanded instanceof ExternalError) failures.push(expanded);
    else for (const path of expanded.paths) paths.add(path);
    if ('isNamed' in expanded && expanded.isNamed) for (const path of expanded.paths) named.add(path);
  }
  return { paths: [...paths], found: new Set([...paths].filter(path => !named.has(path))), failures };
}

async function expand(
  name: string,
  { pattern, isIncluded, what }: DirectoryFiles,
): Promise<{ readonly paths: readonly string[]; readonly isNamed: boolean } | ExternalError> {
  if (name === STANDARD_INPUT) return { paths: [name], isNamed: true };
  const found = statOf(name);
  if (found?.isDirectory()) {
    const inside = (await matches(pattern, name)).filter(path => isIncluded(basename(path)));
    return inside.length > 0
      ? { paths: inside, isNamed: false }
      : new ExternalError('file/none-found', `no ${what} in \`${name}\``);
  }
  // For a missing file, the error of reading it is the best message.
  if (found || !/[*?[{]/.test(name)) return { paths: [name], isNamed: true };
  const matched = await matches(name);
  return matched.length > 0
    ? { paths: matched, isNamed: true }
    : new ExternalError('file/none-found', `no file matches \`${name}\``);
}

/** Synchronous, because waiting takes longer than the call. Reading the file reports the error, if any. */
function statOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function matches(pattern: string, directory?: string): Promise<readonly string[]> {
  const { glob } = await import('node:fs/promises');
  const options = {
    withFileTypes: true,
    exclude: isHidden,
    ...(directory !== undefined && { cwd: directory }),
  } as const;
  const found: string[] = [];
  // The matches have absolute paths; show them as the user wrote them.
  const here = resolve(directory ?? '.');
  for await (const entry of glob(pattern, options)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.push(isAbsolute(directory ?? pattern) ? path : join(directory ?? '.', relative(here, path)));
  }
  return found.sort();
}

function isHidden({ name }: { readonly name: string }): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.' && name !== '..');
}
