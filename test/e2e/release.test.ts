import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkTarball } from '../../scripts/release/check-tarball.ts';
import { stagePackage } from '../../scripts/release/stage-package.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-release-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));

const names = readdirSync('packages');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Creates a directory with these files, by path. */
function directory(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, name, path, '..'), { recursive: true });
    writeFileSync(join(home, name, path), text);
  }
  return join(home, name);
}

function pack(path: string): string {
  const packed = execFileSync('npm', ['pack', path, '--json', '--pack-destination', home], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return join(home, JSON.parse(packed)[0].filename);
}

it.each(names)('packages/%s has a licence, a README and its repository', name => {
  const root = read('package.json');
  const manifest = read(`packages/${name}/package.json`);
  expect(readFileSync(`packages/${name}/LICENSE`, 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
  expect(readFileSync(`packages/${name}/README.md`, 'utf8')).toMatch(
    new RegExp(`^# ${manifest.displayName ?? manifest.name}\n`),
  );
  expect(manifest.repository).toEqual({ ...root.repository, directory: `packages/${name}` });
  expect(manifest.version).toBe(root.version);
});

const MANIFEST = {
  name: 'probe',
  version: '1.0.0',
  type: 'module',
  license: 'MIT',
  files: ['dist', '!dist/**/*.test.*'],
};
const ENTRY = { 'tollgate-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };
const FILES = { 'README.md': '# probe\n', LICENSE: 'MIT\n', 'dist/index.js': 'export const one = 1;\n' };

it('publishes without the export condition for sources, and without tests', async () => {
  const source = directory('good', {
    ...FILES,
    'package.json': JSON.stringify({ ...MANIFEST, exports: { '.': ENTRY } }),
    'dist/index.d.ts': 'export declare const one = 1;\n',
    'dist/index.test.js': 'throw new Error();\n',
  });
  stagePackage(source, join(home, 'staged'));
  const tarball = pack(join(home, 'staged'));
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  expect(files.sort()).toEqual(
    ['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json'].map(file => `package/${file}`),
  );
  expect(read(join(home, 'staged/package.json')).exports['.']).toEqual({ types: ENTRY.types, default: ENTRY.default });
  expect(await checkTarball(tarball)).toEqual([]);
});

it('finds entry points and types that are not in the package', async () => {
  const exports = { '.': { types: './dist/absent.d.ts', default: './dist/absent.js' } };
  const source = directory('bad', {
    ...FILES,
    'package.json': JSON.stringify({ ...MANIFEST, name: 'bad-probe', exports }),
  });
  const findings = await checkTarball(pack(source));
  expect(findings.filter(finding => finding.startsWith('publint:'))).not.toEqual([]);
  expect(findings.filter(finding => finding.startsWith('attw:'))).not.toEqual([]);
});
