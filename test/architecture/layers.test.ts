import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAYERS } from './layers.ts';
import { filesBelow, importsOf, ROOT, readSource } from './source-file.ts';

const packages = readdirSync(join(ROOT, 'packages'));
const sources = filesBelow('packages', '.ts').map(readSource);

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function manifest(name: string): { dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
}

/** Returns why an import is not allowed here; undefined if it is. */
function objection(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  if (builtinModules.includes(specifier)) return 'built-in modules are imported with `node:`';
  if (specifier.startsWith('.')) return relativeObjection(path, specifier);
  return specifier.startsWith('@tollgate/') ? houseObjection(path, specifier) : thirdPartyObjection(path, specifier);
}

function thirdPartyObjection(path: string, specifier: string): string | undefined {
  if (path.endsWith('.test.ts')) return undefined;
  const dependency = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (LAYERS[packageOf(path)]?.provided?.includes(specifier)) return undefined;
  if (!LAYERS[packageOf(path)]?.thirdParty.includes(dependency)) return 'not in the table of third-party packages';
  return dependency in (manifest(packageOf(path)).dependencies ?? {}) ? undefined : 'not declared in package.json';
}

function houseObjection(path: string, specifier: string): string | undefined {
  const from = packageOf(path);
  const [, target = '', ...inside] = specifier.split('/');
  if (!exportsOf(target).includes(['.', ...inside].join('/'))) return 'not an entry point of that package';
  if (path.endsWith('.test.ts')) return undefined;
  if (!(`@tollgate/${target}` in (manifest(from).dependencies ?? {}))) return 'not declared in package.json';
  const mine = LAYERS[from];
  const theirs = LAYERS[target];
  if (!mine || !theirs) return 'not in the table of layers';
  if (theirs.layer < mine.layer || mine.exceptions?.[target]) return undefined;
  return `layer ${mine.layer} may not see layer ${theirs.layer}`;
}

function exportsOf(name: string): string[] {
  const file = join(ROOT, 'packages', name, 'package.json');
  return existsSync(file) ? Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { exports: object }).exports) : [];
}

function relativeObjection(path: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`packages/${packageOf(path)}/`)) return 'a relative path out of the package';
  if (target === `packages/${packageOf(path)}/src/index.ts`) return "the package's own index";
  return specifier.endsWith('.ts') ? undefined : 'a relative import names the file with its ending';
}

describe('layers', () => {
  it('lists exactly the existing packages', () => {
    expect(Object.keys(LAYERS).sort()).toEqual([...packages].sort());
  });

  it('imports only declared entry points of lower layers', () => {
    const objections = sources.flatMap(source =>
      importsOf(source).flatMap(specifier => {
        const reason = objection(source.path, specifier);
        return reason === undefined ? [] : [`${source.path} imports ${specifier}: ${reason}`];
      }),
    );
    expect(objections).toEqual([]);
  });

  it('declares only the dependencies that a package imports', () => {
    const unused = packages.flatMap(name => {
      const imported = sources.filter(source => packageOf(source.path) === name).flatMap(importsOf);
      return Object.keys(manifest(name).dependencies ?? {})
        .filter(dependency => !imported.some(one => one === dependency || one.startsWith(`${dependency}/`)))
        .map(dependency => `${name}: ${dependency}`);
    });
    expect(unused).toEqual([]);
  });

  it('references exactly the dependencies in each tsconfig.json', () => {
    for (const name of packages) {
      const config = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'tsconfig.json'), 'utf8'));
      // A package may be compiled in two parts: what runs anywhere, and what needs Node.
      const referenced = new Set<string>(
        config.references.map(({ path }: { path: string }) => `@tollgate/${path.split('/')[1]}`),
      );
      const depended = Object.keys(manifest(name).dependencies ?? {}).filter(one => one.startsWith('@tollgate/'));
      expect([name, [...referenced].sort()]).toEqual([name, depended.sort()]);
    }
  });
});
