import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** An entry of `packages` in package-lock.json, by its folder. */
interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const packages = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> })
  .packages;
const entries = Object.entries(packages);

/** Returns the version that Node finds from a folder: in its `node_modules`, or in one of a folder above. */
function versionFound(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const entry = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (entry !== undefined || at === '') return entry?.version;
  }
}

it('has an integrity for every package, and the address of none', () => {
  const installed = entries.filter(([folder, entry]) => folder.includes('node_modules/') && entry.link !== true);
  expect(installed.length).toBeGreaterThan(300);
  expect(installed.filter(([, entry]) => entry.integrity === undefined).map(([folder]) => folder)).toEqual([]);
  expect(installed.filter(([, entry]) => entry.resolved !== undefined).map(([folder]) => folder)).toEqual([]);
});

it('has an entry for every optional package, so that `npm ci` works on every platform', () => {
  const missing = entries.flatMap(([folder, entry]) =>
    Object.entries(entry.optionalDependencies ?? {}).flatMap(([name, wanted]) => {
      const found = versionFound(folder, name);
      const isRight = /^\d/.test(wanted) ? found === wanted : found !== undefined;
      return isRight ? [] : [`${name} ${wanted}, needed by ${folder}`];
    }),
  );
  expect(missing).toEqual([]);
});
