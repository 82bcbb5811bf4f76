/**
 * Installs the packed packages into empty projects as a user does, with each package manager, and runs them on each runtime. Needs the
 * tarballs of `npm run release`; downloads package managers and runtimes from the npm registry.
 *
 * usage: npm run check:installation
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkLibraries } from './installation/check-libraries.ts';
import { checkManagers } from './installation/check-managers.ts';
import { checkRuntimes } from './installation/check-runtimes.ts';
import { type Finding, findingLine } from './installation/finding.ts';
import { installTools, TOOLS } from './installation/tools.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RELEASE = resolve(ROOT, 'dist/release');

const tarballs = new Map(
  readdirSync(RELEASE).map(file => [`@tollgate/${/^tollgate-(.+)-\d/.exec(file)?.[1]}`, join(RELEASE, file)]),
);
const tools = installTools(join(ROOT, TOOLS));

const findings: readonly Finding[] = [
  ...checkManagers(tarballs, tools, ROOT),
  ...checkRuntimes(tarballs, tools, ROOT),
  ...checkLibraries(tarballs, tools, ROOT),
];
for (const finding of findings) console.log(findingLine(finding));
if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
