import { type Stats, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';

/** The standard input, where a file is expected. */
export const STANDARD_INPUT = '-';

/** What arguments that name files stand for. */
export interface Inputs {
  /** Each once, in the order of the arguments, those of one argument sorted. */
  readonly paths: readonly string[];
  /** Those of them that nobody named: they were found in directories. */
  readonly found: ReadonlySet<string>;
  /** For the arguments that stand for nothing. */
  readonly failures: readonly ExternalError[];
}

/** Which files of a directory are meant by its name. */
export interface DirectoryFiles {
  readonly pattern: string;
  /** Of the base name, for what the pattern takes too much of. */
  readonly isMeant: (name: string) => boolean;
  /** Completes "no … in". */
  readonly what: string;
}

/** Files of Tollgate itself, which are no policies. */
const OWN_FILES = /^(?:tollgate\.yaml|tollgate-baseline\.json|\.tollgate-cache\.json)$/;

/** What files of policy tests are called. */
export const TESTS_NAME = /\.test\.(?:ya?ml|json)$/;

/** Policies and their tests. */
export const POLICIES_AND_TESTS: DirectoryFiles = {
  pattern: '**/*.{yaml,yml,json}',
  isMeant: name => !OWN_FILES.test(name),
  what: 'YAML or JSON file',
};

const POLICIES: DirectoryFiles = {
  ...POLICIES_AND_TESTS,
  isMeant: name => !OWN_FILES.test(name) && !TESTS_NAME.test(name),
};

/**
 * Resolves files, directories (the YAML and JSON files in them, at any depth, but not under `node_modules` or names with a
 * leading dot, and neither the settings of Tollgate nor policy tests) and glob patterns, which a shell may have left as they are.
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
  { pattern, isMeant, what }: DirectoryFiles,
): Promise<{ readonly paths: readonly string[]; readonly isNamed: boolean } | ExternalError> {
  if (name === STANDARD_INPUT) return { paths: [name], isNamed: true };
  const found = statOf(name);
  if (found?.isDirectory()) {
    const inside = (await matches(pattern, name)).filter(path => isMeant(basename(path)));
    return inside.length > 0
      ? { paths: inside, isNamed: false }
      : new ExternalError('file/none-found', `no ${what} in \`${name}\``);
  }
  // Without a file of that name and without pattern characters, reading it says what is wrong.
  if (found || !/[*?[{]/.test(name)) return { paths: [name], isNamed: true };
  const matched = await matches(name);
  return matched.length > 0
    ? { paths: matched, isNamed: true }
    : new ExternalError('file/none-found', `no file matches \`${name}\``);
}

/** At once: to wait for one file takes longer than to look at it. Where that is not possible, reading says why. */
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
  // What is found has absolute paths; people get to see what they wrote.
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
