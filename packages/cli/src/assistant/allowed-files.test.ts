import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFiles } from './allowed-files.ts';

const POLICY = { text: 'policy', path: 'path', file: 'policy.yaml', maxBytes: 100 };
let root: string;
let allowed: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-allowed-')));
  allowed = join(root, 'project');
  mkdirSync(join(allowed, 'policies'), { recursive: true });
  writeFileSync(join(allowed, 'policies/p.yaml'), 'inbound: []\n');
  writeFileSync(join(allowed, 'large.yaml'), '#'.repeat(101));
  writeFileSync(join(root, 'secret'), 'secret');
  mkdirSync(join(root, 'project-2'));
  writeFileSync(join(root, 'project-2/p.yaml'), 'inbound: []\n');
  symlinkSync(join(root, 'secret'), join(allowed, 'link-out'));
  symlinkSync(root, join(allowed, 'folder-out'));
  symlinkSync(join(allowed, 'policies/p.yaml'), join(allowed, 'link-in'));
  symlinkSync('/dev/zero', join(allowed, 'device'));
  execFileSync('mkfifo', [join(allowed, 'pipe')]);
});

afterAll(() => rmSync(root, { recursive: true }));

const place = (path: string) => openFiles([allowed]).place({ path }, POLICY);

describe('files that an assistant names', () => {
  it.each(['policies/p.yaml', './policies/../policies/p.yaml', 'link-in'])('reads %s', path => {
    expect(place(path)).toBe(join(allowed, 'policies/p.yaml'));
  });

  it('reads an absolute path below a directory', () => {
    expect(place(join(allowed, 'policies/p.yaml'))).toBe(join(allowed, 'policies/p.yaml'));
  });

  it.each([
    '../secret',
    '../absent',
    'link-out',
    'folder-out/secret',
    '/etc/passwd',
    'device',
    '../project-2/p.yaml',
    '.',
    '..',
    '',
  ])('refuses %s and does not say what is there', path => {
    expect(() => place(path)).toThrow(`\`path\`: \`${path}\` is outside of the directories that this server may read`);
  });

  it.each([
    ['policies', '`path`: `policies` is not a file'],
    ['pipe', '`path`: `pipe` is not a file'],
    ['absent.yaml', '`path`: no file `absent.yaml`; send the content instead'],
    ['large.yaml', '`path`: 101 bytes are more than 100; run the `tollgate` command'],
  ])('refuses %s', (path, message) => {
    expect(() => place(path)).toThrow(message);
  });

  it('reads nothing without directories', () => {
    expect(() => openFiles([]).place({ path: 'p.yaml' }, POLICY)).toThrow('outside');
  });
});

describe('content that an assistant sends', () => {
  it('is written to a private directory, which is removed', () => {
    const files = openFiles([]);
    const path = files.place({ text: 'inbound: []\n' }, POLICY);
    expect(readFileSync(path, 'utf8')).toBe('inbound: []\n');
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(files.rename(`cannot read \`${path}\``)).toBe('cannot read `policy.yaml`');
    files.remove();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it.each([{}, { text: '', path: 'p.yaml' }])('refuses %o', input => {
    expect(() => openFiles([allowed]).place(input, POLICY)).toThrow(
      'expected either `policy` or `path`; send one of them',
    );
  });

  it('refuses content that is too long', () => {
    expect(() => openFiles([]).place({ text: 'x'.repeat(101) }, POLICY)).toThrow(
      '`policy` is longer than 100 characters',
    );
  });
});
