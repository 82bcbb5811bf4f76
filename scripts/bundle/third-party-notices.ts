import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';
import type { Dependency, default as License } from 'rollup-plugin-license';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Options = Parameters<(typeof License)['default']>[0];

// CommonJS, and typed for Rollup, whose hooks Rolldown calls.
const license: (options: Options) => Plugin = createRequire(import.meta.url)('rollup-plugin-license');

/** Returns a plugin that writes the name, version and licence of every bundled package to a file. Fails for a package without a licence. */
export function thirdPartyNotices(file: string): Plugin {
  return license({
    cwd: ROOT,
    thirdParty: {
      multipleVersions: true,
      allow: { test: () => true, failOnUnlicensed: true, failOnViolation: true },
      output: { file, template: notices },
    },
  });
}

/** Returns the notices of all packages except our own, sorted by name. */
function notices(dependencies: readonly Dependency[]): string {
  const foreign = dependencies.filter(({ name }) => name !== null && !/^(?:tollgate$|@tollgate\/)/.test(name));
  const sorted = foreign.toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
  return `The tollgate command contains these packages.\n\n${sorted.map(notice).join('\n')}`;
}

function notice(dependency: Dependency): string {
  const { name, version, license: id, noticeText } = dependency;
  return [`${name} ${version} (${id?.replace(/^\((.*)\)$/, '$1')})`, licenceText(dependency), noticeText]
    .flatMap(part => (part ? [part.trim()] : []))
    .join('\n\n')
    .concat(`\n\n${'-'.repeat(80)}\n`);
}

/** Where the licences are of packages that name two and contain neither: our own file has the text of Apache-2.0, and sources begin with the other. */
const LICENCES: Readonly<Record<string, readonly string[]>> = {
  '@bufbuild/protobuf': ['LICENSE', 'node_modules/@bufbuild/protobuf/dist/esm/wire/varint.js'],
};

function licenceText({ name, licenseText }: Dependency): string | null {
  return licenseText ?? LICENCES[name ?? '']?.map(file => licenceIn(file)).join('\n\n') ?? null;
}

function licenceIn(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!file.endsWith('.js')) return text.trimEnd();
  const lines = text.split('\n');
  const end = lines.findIndex(line => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map(line => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
