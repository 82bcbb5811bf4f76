import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientProgram } from './run-client.ts';

/** Where `scripts/install-test-tools.sh` installs each version of the Python client, and what they share. */
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/tollgate-python-clients');
const SHARED = join(FOLDER, 'shared');

/** Returns the installed versions of the Python client, oldest first; empty if there are none. */
export function pythonClients(): readonly ClientProgram[] {
  if (!existsSync(SHARED)) return [];
  const versions = readdirSync(FOLDER).filter(name => /^\d/.test(name));
  return versions.sort().map(version => ({
    name: `PyPI ${version}`,
    command: ['python3', join(import.meta.dirname, 'python_client.py')],
    env: { PYTHONPATH: `${join(FOLDER, version)}:${SHARED}`, PYTHONDONTWRITEBYTECODE: '1' },
  }));
}
