import { createRequire } from 'node:module';
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

function notice({ name, version, license: id, licenseText, noticeText }: Dependency): string {
  return [`${name} ${version} (${id})`, licenseText, noticeText]
    .flatMap(part => (part ? [part.trim()] : []))
    .join('\n\n')
    .concat(`\n\n${'-'.repeat(80)}\n`);
}
