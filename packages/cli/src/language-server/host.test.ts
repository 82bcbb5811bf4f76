import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { afterAll, describe, expect, it } from 'vitest';
import type { Terminal } from '../process/terminal.ts';
import { createHost } from './host.ts';

const terminal: Terminal = {
  write: () => {},
  writeError: () => {},
  readInput: async () => new Uint8Array(),
  isInteractive: false,
  env: {},
};

describe('the host of the language server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-host-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('applies the settings above a directory that does not exist yet', async () => {
    writeFileSync(join(directory, 'tollgate.yaml'), 'profile: edge-v2-snake\n');
    const missing = join(directory, 'new', 'policies');
    const project = await createHost(terminal).loadProject(missing, 'never');
    expect(project.failures).toEqual([]);
    expect(project.directory).toBe(missing);
    expect(project.file).toBe(join(directory, 'tollgate.yaml'));
    const target = project.targetOf(new SourceText(join(missing, 'p.yaml'), 'inbound: []\n'));
    expect(target).toMatchObject({ profile: { name: 'edge-v2-snake' } });
  });

  it('returns an error for a file that is not UTF-8', async () => {
    const path = join(directory, 'latin1.yaml');
    writeFileSync(path, Buffer.from('name: caf\xe9\n', 'latin1'));
    const found = await createHost(terminal).readFile(path);
    expect(found).toBeInstanceOf(ExternalError);
    expect(found).toMatchObject({ code: 'file/not-utf-8' });
  });
});
