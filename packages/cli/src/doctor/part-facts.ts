import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DoctorFact } from './doctor-report.ts';

/** Packages that not everybody needs, and what they are for. */
const PARTS = [
  { name: '@duckdb/node-api', purpose: 'traffic in CSV and Parquet files' },
  { name: 'pg', purpose: '`tollgate serve` with PostgreSQL' },
] as const;

/** Returns which optional packages are installed. A missing one is not a problem. */
export function partFacts(): readonly DoctorFact[] {
  return PARTS.map(({ name, purpose }) => {
    const found = installedVersion(name);
    return found === undefined
      ? { name, value: `not installed; for ${purpose}: \`npm install ${name}\`` }
      : { name, value: found };
  });
}

/** Looks where the command would load the package from: in `node_modules` of the folders above it. */
function installedVersion(name: string): string | undefined {
  const command = process.argv[1];
  if (command === undefined || !existsSync(command)) return undefined;
  for (let folder = dirname(realpathSync(command)); ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(file)) return versionIn(file);
    if (folder === dirname(folder)) return undefined;
  }
}

function versionIn(file: string): string {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(version);
}
