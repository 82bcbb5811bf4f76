/**
 * Builds the `tollgate` command as one file that needs no Node: the bundle, compiled with Bun. Downloads Bun from the npm registry, for
 * other platforms too. DuckDB is not included, because it has native code.
 *
 * usage: npm run build:executable -- [--target linux-x64]… [--out DIRECTORY]
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExecutable, TARGETS } from './installation/executable.ts';
import { installTools, TOOLS } from './installation/tools.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [...TARGETS] },
    out: { type: 'string', default: 'dist/executables' },
  },
});
const unknown = values.target.find(target => !TARGETS.includes(target));
if (unknown !== undefined) {
  console.error(`unknown target \`${unknown}\`; expected one of ${TARGETS.join(', ')}`);
  process.exitCode = 2;
} else {
  const out = resolve(ROOT, values.out);
  mkdirSync(out, { recursive: true });
  const { bun } = installTools(resolve(ROOT, TOOLS));
  for (const target of values.target) console.log(buildExecutable({ target, bun, root: ROOT, out }));
}
