/**
 * Prepares a release: builds every package, packs it as it is published, checks each tarball with `publint` and `attw`, and, with `--tag`,
 * tags the commit. It publishes nothing.
 *
 * usage: npm run release -- [--tag] [--out DIRECTORY]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarball } from './release/check-tarball.ts';
import { readManifest, stagePackage } from './release/stage-package.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values } = parseArgs({
  options: { tag: { type: 'boolean' }, out: { type: 'string', default: 'dist/release' } },
});
const { version } = readManifest(ROOT);
const folders = readdirSync(join(ROOT, 'packages'));
/** The extension for VS Code is published in its own form: see `build-vscode.ts`. */
const names = folders.filter(name => !readManifest(join(ROOT, 'packages', name)).private);

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Returns the reasons why this checkout cannot be released. */
function objections(): readonly string[] {
  const found: string[] = [];
  for (const name of folders) {
    const own = readManifest(join(ROOT, 'packages', name)).version;
    if (own !== version) found.push(`packages/${name} has version ${own}, expected ${version}`);
  }
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  if (!changelog.includes(`## ${version}`)) found.push(`CHANGELOG.md has no section for ${version}; add one`);
  if (!values.tag) return found;
  if (run('git', 'status', '--porcelain') !== '') found.push('the working tree has changes; commit them first');
  if (run('git', 'tag', '--list', `v${version}`) !== '')
    found.push(`tag v${version} already exists; raise the version`);
  return found;
}

/** Packs all packages and returns the paths of their tarballs. One process for all of them: npm takes a second to start. */
function pack(staging: string, out: string): readonly string[] {
  const targets = names.map(name => join(staging, name));
  for (const [at, name] of names.entries()) stagePackage(join(ROOT, 'packages', name), targets[at]!);
  const packed = JSON.parse(run('npm', 'pack', ...targets, '--json', '--pack-destination', out)) as {
    filename: string;
  }[];
  if (packed.length !== names.length) throw new Error(`npm packed ${packed.length} of ${names.length} packages`);
  return packed.map(({ filename }) => join(out, filename));
}

async function release(): Promise<number> {
  const reasons = objections();
  if (reasons.length > 0) return refuse(reasons);
  run('npm', 'run', '--silent', 'build');
  const out = resolve(ROOT, values.out);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
  try {
    const tarballs = pack(staging, out);
    const findings = await Promise.all(
      tarballs.map(async path => (await checkTarball(path)).map(finding => `${path}: ${finding}`)),
    );
    if (findings.flat().length > 0) return refuse(findings.flat());
  } finally {
    rmSync(staging, { recursive: true });
  }
  if (values.tag) run('git', 'tag', '--annotate', `v${version}`, '--message', `Tollgate ${version}`);
  console.log(
    `${names.length} packages of version ${version} packed and checked; publish each file in ${values.out} with npm publish`,
  );
  return 0;
}

function refuse(reasons: readonly string[]): number {
  for (const reason of reasons) console.error(reason);
  return 1;
}

process.exitCode = await release();
