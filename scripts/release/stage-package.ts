import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a package.json that the release uses. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Reads the package.json of a directory. */
export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

/**
 * Copies a built package to `target` in its published form. Published packages contain no sources, and npm cannot omit the export condition
 * that leads to them.
 */
export function stagePackage(source: string, target: string): void {
  const manifest = readManifest(source);
  mkdirSync(target, { recursive: true });
  for (const name of ['README.md', 'LICENSE', ...manifest.files.filter(file => !file.startsWith('!'))]) {
    cpSync(join(source, name), join(target, name), { recursive: true });
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
}

function published(manifest: Manifest): Manifest {
  const entries = Object.entries(manifest.exports).map(([path, conditions]) => {
    const kept = Object.entries(conditions).filter(([condition]) => condition !== 'tollgate-source');
    return [path, Object.fromEntries(kept)];
  });
  return { ...manifest, exports: Object.fromEntries(entries) };
}
