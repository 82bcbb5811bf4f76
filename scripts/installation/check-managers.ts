import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checked, type Finding } from './finding.ts';
import { inProject } from './project.ts';
import type { Tools } from './tools.ts';

/** The largest installation of the command without optional packages, in megabytes and packages. */
const MAX_SIZE = 15;
const MAX_PACKAGES = 10;

/** How each package manager runs an installed command. */
const RUN: Readonly<Record<string, (tool: readonly string[]) => readonly string[]>> = {
  npm: () => ['npx', '--no-install', 'tollgate'],
  pnpm: ([node = '', script = '']) => [node, script, 'exec', 'tollgate'],
  yarn: ([node = '', script = '']) => [node, script, 'run', 'tollgate'],
  bun: ([bun = '']) => [bun, 'run', 'tollgate'],
};

/** Installs the command with each package manager, and checks a policy with it. */
export function checkManagers(
  tarballs: ReadonlyMap<string, string>,
  { managers }: Tools,
  root: string,
): readonly Finding[] {
  const tarball = tarballs.get('@tollgate/cli') ?? '';
  return Object.entries(managers).map(([name, install]) =>
    checked(`\`@tollgate/cli\` installed with ${name}`, () =>
      inProject(({ folder, must }) => {
        must(install, tarball);
        const out = must(RUN[name]?.(install) ?? [], 'check', join(root, 'examples/policies/bookshop.yaml'));
        if (!out.includes('no problems in 1 file')) throw new Error(`unexpected output: ${out}`);
        return name === 'npm' ? weigh(join(folder, 'node_modules')) : 'passed';
      }),
    ),
  );
}

function weigh(modules: string): string {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  const size = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
  const packages = readdirSync(modules)
    .filter(name => !name.startsWith('.'))
    .flatMap(name => (name.startsWith('@') ? readdirSync(join(modules, name)) : [name])).length;
  const seen = `${size.toFixed(1)} MB in ${packages} package${packages === 1 ? '' : 's'}`;
  if (size > MAX_SIZE || packages > MAX_PACKAGES)
    throw new Error(`${seen}; at most ${MAX_SIZE} MB and ${MAX_PACKAGES} packages`);
  return seen;
}
