import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Returns all problems that `publint` and `attw` find in a packed package, one line each. */
export async function checkTarball(path: string): Promise<readonly string[]> {
  const data = new Uint8Array(readFileSync(path));
  return [...(await publintFindings(data)), ...(await typeFindings(data))];
}

async function publintFindings(data: Uint8Array): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer as ArrayBuffer }, strict: true });
  return messages.map(message => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

/** The packages are ES modules: what CommonJS cannot resolve or load is by design. */
const BY_DESIGN = new Set(['CJSResolvesToESM']);

async function typeFindings(data: Uint8Array): Promise<readonly string[]> {
  const contents = createPackageFromTarballData(data);
  const manifest = JSON.parse(contents.readFile(`/node_modules/${contents.packageName}/package.json`));
  // A command has nothing to import.
  if (manifest.exports === undefined && manifest.bin !== undefined) return [];
  const result = await checkPackage(contents);
  if (!result.types) return ['attw: the package has no types'];
  // `node10` predates `exports`; no supported Node resolves modules that way.
  return result.problems
    .filter(problem => !BY_DESIGN.has(problem.kind))
    .filter(problem => !('resolutionKind' in problem && problem.resolutionKind === 'node10'))
    .map(problem => `attw: ${problem.kind} ${'entrypoint' in problem ? problem.entrypoint : ''}`);
}
