import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONAL_PACKAGES } from '../bundle-command.ts';

/** The fields of a package.json that the release uses. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files: readonly string[];
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The oldest Node that published packages run on; the sources of a clone need a newer one. */
const ENGINES = { node: '>=22.16' };

/** Reads the package.json of a directory. */
export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

/**
 * Copies a built package to `target` in its published form. Published packages contain no sources, and npm cannot omit the export condition
 * that leads to them. The command is published as its bundle alone.
 */
export function stagePackage(source: string, target: string): void {
  const manifest = readManifest(source);
  const staged = {
    ...(manifest.bin ? publishedCommand(manifest, join(source, '..')) : published(manifest)),
    engines: ENGINES,
  };
  mkdirSync(target, { recursive: true });
  for (const name of ['README.md', 'LICENSE', ...staged.files.filter(file => !file.startsWith('!'))]) {
    cpSync(join(source, name), join(target, name), { recursive: true });
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
}

function published(manifest: Manifest): Manifest {
  const entries = Object.entries(manifest.exports ?? {}).map(([path, conditions]) => {
    const kept = Object.entries(conditions).filter(([condition]) => condition !== 'tollgate-source');
    return [path, Object.fromEntries(kept)];
  });
  return { ...manifest, exports: Object.fromEntries(entries) };
}

/** Everything it needs is in the bundle, except packages that users add if they need them. */
function publishedCommand(manifest: Manifest, packages: string) {
  const { dependencies: _, exports: __, ...rest } = manifest;
  const versions = readdirSync(packages).map(name => readManifest(join(packages, name)).dependencies ?? {});
  // An exact version here would clash with a newer one that users have.
  const optional = OPTIONAL_PACKAGES.map(name => {
    const version = versions.find(one => one[name])?.[name];
    return [name, version?.replace(/^(?=\d)/, '^')] as const;
  });
  return {
    ...rest,
    files: ['bin', 'dist/bundle'],
    peerDependencies: Object.fromEntries(optional),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL_PACKAGES.map(name => [name, { optional: true }])),
  };
}
