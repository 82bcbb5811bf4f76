import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';
import { FileReplacement, replaceFile } from './replace-file.ts';

const UGLY = 'inbound:   [ ]\n';
const NEAT = 'inbound: []\n';
const SOMEBODY = 12_345;

let directory: string;
const at = (name: string) => join(directory, name);
const read = (name: string) => readFileSync(at(name), 'utf8');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-replace-'));
  writeFileSync(at('a.yaml'), UGLY);
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('a replaced file', () => {
  it.each([0o600, 0o640, 0o664, 0o755])('keeps its mode, %o', async mode => {
    chmodSync(at('a.yaml'), mode);
    expect(await replaceFile(at('a.yaml'), NEAT)).toBeUndefined();
    expect([read('a.yaml'), statSync(at('a.yaml')).mode & 0o777]).toEqual([NEAT, mode]);
  });

  it.runIf(process.getuid?.() === 0)('keeps its owner and group', async () => {
    chownSync(at('a.yaml'), SOMEBODY, SOMEBODY + 1);
    chmodSync(at('a.yaml'), 0o640);
    expect(await replaceFile(at('a.yaml'), NEAT)).toBeUndefined();
    const { uid, gid, mode } = statSync(at('a.yaml'));
    expect([uid, gid, mode & 0o777, read('a.yaml')]).toEqual([SOMEBODY, SOMEBODY + 1, 0o640, NEAT]);
  });

  it.each(['a longer text than before\n'.repeat(20), 'short', ''])('keeps its hard links, with %j', async text => {
    linkSync(at('a.yaml'), at('b.yaml'));
    const { ino } = statSync(at('a.yaml'));
    expect(await replaceFile(at('a.yaml'), text)).toBeUndefined();
    expect([read('a.yaml'), read('b.yaml'), statSync(at('b.yaml')).ino]).toEqual([text, text, ino]);
    expect(readdirSync(directory)).toEqual(['a.yaml', 'b.yaml']);
  });

  it('is the target of a link, even if it does not exist yet', async () => {
    symlinkSync('a.yaml', at('link.yaml'));
    symlinkSync('new/c.yaml', at('first.yaml'));
    symlinkSync('first.yaml', at('second.yaml'));
    mkdirSync(at('new'));
    for (const name of ['link.yaml', 'second.yaml']) expect(await replaceFile(at(name), NEAT)).toBeUndefined();
    expect([read('a.yaml'), read('new/c.yaml')]).toEqual([NEAT, NEAT]);
    for (const name of ['link.yaml', 'first.yaml', 'second.yaml'])
      expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
  });

  it('is unchanged if it is read-only', async () => {
    chmodSync(at('a.yaml'), 0o444);
    expect((await replaceFile(at('a.yaml'), NEAT))?.message).toBe(`cannot write \`${at('a.yaml')}\`: it is read-only`);
    expect([read('a.yaml'), readdirSync(directory)]).toEqual([UGLY, ['a.yaml']]);
  });

  it('is unchanged if the replacement is abandoned', async () => {
    const file = new FileReplacement(at('a.yaml'));
    await file.write(NEAT);
    expect(readdirSync(directory)).toHaveLength(2);
    await file.abandon();
    expect([read('a.yaml'), readdirSync(directory)]).toEqual([UGLY, ['a.yaml']]);
  });
});

describe.each<[string, readonly string[], string]>([
  ['fmt', ['fmt'], 'inbound:   [ ]\n'],
  [
    'lint --fix',
    ['lint', '--fix', '--rule', 'doc/empty-phase=on'],
    'inbound: [{actions: [{type: deny}]}]\noutbound: []\n',
  ],
  [
    'migrate --write',
    ['migrate', '--write'],
    'inbound: [{expressions: ["req.Path == \'/a\'"], actions: [{type: deny}]}]\n',
  ],
])('tollgate %s', (_, args, text) => {
  const run = () => runCaptured([...args, at('a.yaml')]);
  beforeEach(() => writeFileSync(at('a.yaml'), text));

  it('keeps hard links', async () => {
    linkSync(at('a.yaml'), at('b.yaml'));
    await run();
    expect(read('a.yaml')).not.toBe(text);
    expect(read('b.yaml')).toBe(read('a.yaml'));
  });

  it('reports a read-only file on one line, with exit code 3', async () => {
    chmodSync(at('a.yaml'), 0o444);
    const { code, errors } = await run();
    expect([code, errors, read('a.yaml')]).toEqual([
      3,
      `tollgate: cannot write \`${at('a.yaml')}\`: it is read-only\n`,
      text,
    ]);
  });
});
