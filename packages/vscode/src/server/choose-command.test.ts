import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseCommand } from './choose-command.ts';

const INSTALLED = join('/b', 'node_modules', '@tollgate', 'cli', 'bin', 'tollgate.js');
const CHOICE = {
  setting: 'workspace',
  isTrusted: true,
  bundled: '/extension/tollgate.js',
  folders: ['/a', '/b'],
  exists: (path: string) => path === INSTALLED,
};

describe('the command that serves the editor', () => {
  it.each([
    ['is that of the workspace, in the first folder that has one', {}, INSTALLED],
    ['is bundled by default', { setting: 'bundled' }, CHOICE.bundled],
    ['is bundled in an untrusted workspace', { isTrusted: false }, CHOICE.bundled],
    ['is bundled where none is installed', { folders: ['/a'] }, CHOICE.bundled],
    ['is bundled without a folder', { folders: [] }, CHOICE.bundled],
  ])('%s', (_, changes, script) => {
    const origin = script === INSTALLED ? 'workspace' : 'bundled';
    expect(chooseCommand({ ...CHOICE, ...changes })).toEqual({ script, origin });
  });
});
