import { glob, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExternalError } from '@tollgate/diagnostics';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';
import { requireTrust } from '../../trust/require-trust.ts';
import { provideOwnPackages } from '../loading/own-packages.ts';

const TESTS = '**/*.test.{ts,mts,js,mjs}';

/** Runs the tests of lint rules. Node's test runner prints the results and sets the exit code if one fails. */
export async function testRules(paths: readonly string[], { env }: Terminal): Promise<ExitCode> {
  provideOwnPackages();
  const files = (await Promise.all(paths.map(testFiles))).flat().map(file => resolve(file));
  for (const file of files) requireTrust(file, env);
  for (const file of files) await load(file);
  return EXIT.clean;
}

async function load(file: string): Promise<void> {
  try {
    await import(pathToFileURL(file).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('settings/module', `cannot load \`${file}\`: ${reason}`, { cause });
  }
}

async function testFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ExternalError('file/unreadable', `cannot read \`${path}\`: no such file`);
  if (!found.isDirectory()) return [path];
  const inside: string[] = [];
  for await (const name of glob(TESTS, { cwd: path, exclude: ['**/node_modules/**'] })) inside.push(name);
  if (inside.length === 0) throw new ExternalError('file/none-found', `no test (\`${TESTS}\`) in \`${path}\``);
  return inside.toSorted().map(name => join(path, name));
}
