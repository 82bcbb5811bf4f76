import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type BundledChunk, provideBundle } from '../../scripts/bundle-command.ts';
import { eventually } from './eventually.ts';

const CHUNKS = 'chunks.json';

/** Absolute: a test that has changed the current directory may be the first to ask. */
const CLI = resolve(import.meta.dirname, '../../packages/cli');

/** The script of the command as it is installed: bundled, which starts about ten times faster than the sources. */
export async function installedCommand(): Promise<string> {
  const root = inject('commandDirectory');
  const failure = join(root, 'failure');
  if (isFirst(root)) {
    writeFileSync(`${failure}~`, await install(root));
    renameSync(`${failure}~`, failure);
  }
  await eventually(() => existsSync(failure));
  const message = readFileSync(failure, 'utf8');
  if (message !== '') throw new Error(`the command cannot be bundled: ${message}`);
  return join(root, 'bin/tollgate.js');
}

/** The module of the server's threads as it is installed: a start takes a tenth of the processor time that it takes from the sources. */
export async function installedThread(): Promise<URL> {
  return pathToFileURL(join(await installedCommand(), '../../dist/bundle/body-thread.cjs'));
}

/** Returns what is in each file of the command as it is installed. */
export async function installedChunks(): Promise<readonly BundledChunk[]> {
  return JSON.parse(readFileSync(join(await installedCommand(), '../..', CHUNKS), 'utf8'));
}

/** True for one caller of all workers; the others wait for it. */
function isFirst(root: string): boolean {
  return mkdirSync(join(root, 'dist'), { recursive: true }) !== undefined;
}

/** What went wrong, or an empty string. */
async function install(root: string): Promise<string> {
  try {
    cpSync(join(CLI, 'bin'), join(root, 'bin'), { recursive: true });
    cpSync(join(CLI, 'package.json'), join(root, 'package.json'));
    const chunks = await provideBundle(join(root, 'dist/bundle'));
    writeFileSync(join(root, CHUNKS), JSON.stringify(chunks));
    return '';
  } catch (error) {
    return String(error);
  }
}
