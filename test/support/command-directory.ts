import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests of one run keep the command as it is installed. */
    readonly commandDirectory: string;
  }
}

/** Makes the directory that `installedCommand` fills at its first call, and removes it at the end of the run. */
export function setup(project: TestProject): () => void {
  // The bundle finds the packages that it does not contain from inside the repository.
  const parent = resolve('node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  limitCompiled(`${parent}/tollgate-compiled`);
  const directory = mkdtempSync(`${parent}/tollgate-command-`);
  project.provide('commandDirectory', directory);
  return () => rmSync(directory, { recursive: true, force: true });
}

/** More than the sources and their dependencies have. */
const MAX_COMPILED = 10_000;

/** Empties the compile cache when it has become large: Node keeps the code of every path, also of files that are gone. */
function limitCompiled(directory: string): void {
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory, { recursive: true }).length > MAX_COMPILED) rmSync(directory, { recursive: true });
}
