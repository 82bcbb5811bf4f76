/**
 * Finds and lints the policies in public repositories, and compares the counts with a kept table: documentation in MDX, manifests and charts of an
 * operator, examples of a Terraform provider. Nothing is downloaded; the folder has a clone of each, named `OWNER+NAME` or `NAME`.
 *
 * usage: node --conditions=tollgate-source scripts/check-repositories.ts FOLDER [--update]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCaptured } from '@tollgate/cli';
import { SourceText } from '@tollgate/diagnostics';
import { findPolicies } from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';

const TABLE = fileURLToPath(new URL('../test/repositories/counts.json', import.meta.url));

/** What is found in a repository at a commit. */
interface Counts {
  readonly repository: string;
  readonly commit: string;
  /** Files that contain policies. */
  readonly files: number;
  readonly policies: number;
  /** Findings of `tollgate lint`, by severity. */
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Files that cannot be read, and defects. */
  readonly failures: number;
}

function folderOf(repository: string, clones: string): string | undefined {
  const names = [repository.replace('/', '+'), repository.slice(repository.indexOf('/') + 1)];
  return names.map(name => join(clones, name)).find(path => existsSync(path));
}

/** Returns the commit of a clone; a folder without Git names it in the file `.commit`. */
function commitOf(folder: string): string {
  const file = join(folder, '.commit');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

async function count(repository: string, folder: string): Promise<Counts> {
  const names = globSync('**/*.{md,mdx,yaml,yml,json,tf,tofu}', { cwd: folder, exclude: ['node_modules/**'] });
  const found = names.map(name => {
    const source = new SourceText(name, readFileSync(join(folder, name), 'utf8'));
    return findPolicies(source, { fences: codeFences }).length;
  });
  const { output, errors } = await runCaptured(['lint', '-f', 'json', folder]);
  const { diagnostics } = JSON.parse(output) as { readonly diagnostics: readonly { readonly severity: string }[] };
  const of = (severity: string) => diagnostics.filter(one => one.severity === severity).length;
  return {
    ...{ repository, commit: commitOf(folder) },
    files: found.filter(number => number > 0).length,
    policies: found.reduce((sum, number) => sum + number, 0),
    ...{ errors: of('error'), warnings: of('warning'), notes: of('info') + of('hint') },
    failures: errors.split('\n').filter(line => line.startsWith('tollgate: ')).length,
  };
}

const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true });
const [clones] = positionals;
if (clones === undefined) throw new Error('usage: check-repositories.ts FOLDER [--update]');
const kept = JSON.parse(readFileSync(TABLE, 'utf8')) as readonly Counts[];
const now: Counts[] = [];
for (const row of kept) {
  const folder = folderOf(row.repository, clones);
  const counted = folder === undefined ? row : await count(row.repository, folder);
  if (folder === undefined) console.log(`${row.repository}: no clone in ${clones}`);
  else if (values.update || JSON.stringify(counted) === JSON.stringify(row)) console.log(JSON.stringify(counted));
  else {
    console.log(`${row.repository} differs\n  kept  ${JSON.stringify(row)}\n  now   ${JSON.stringify(counted)}`);
    process.exitCode = 1;
  }
  now.push(counted);
}
if (values.update) writeFileSync(TABLE, `${JSON.stringify(now, undefined, 2)}\n`);
