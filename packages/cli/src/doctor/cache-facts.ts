import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BASELINE_FILE, CACHE_FILE } from '../lint/session/lint-options.ts';
import { cacheDirectory } from '../process/cache-directory.ts';
import type { Terminal } from '../process/terminal.ts';
import { formatCount } from '../text/format-count.ts';
import type { DoctorFact } from './doctor-report.ts';

/** Returns where caches are, and how large. */
export function cacheFacts({ env }: Terminal): readonly DoctorFact[] {
  const caches = cacheDirectory(env, process.platform);
  const compiled: DoctorFact =
    caches === undefined
      ? { name: 'compiled code', value: 'not cached: the user has no cache directory' }
      : { name: 'compiled code', value: sizeText(sizeBelow(join(caches, 'tollgate'))), from: join(caches, 'tollgate') };
  const files = [CACHE_FILE, BASELINE_FILE].flatMap(path => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ name: path, value: sizeText(found.size) }] : [];
  });
  return [compiled, ...files];
}

function sizeText(bytes: number): string {
  return bytes === 0 ? 'empty' : `${formatCount(Math.ceil(bytes / 1000))} kB`;
}

function sizeBelow(directory: string): number {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter(entry => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    return 0;
  }
}
