import {
  chmodSync,
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

const UGLY = 'inbound: [{actions: [{type: "deny"}]}]\n';
const NEAT = 'inbound:\n  - actions:\n      - type: deny\n';
const BROKEN = 'inbound: [\n';
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function fmt(args: readonly string[], input = '', isInteractive = false) {
  const { code, output, errors } = await runCaptured(['fmt', ...args], { input, isInteractive });
  return { code, out: output.replaceAll(directory, '~'), err: errors.replaceAll(directory, '~') };
}

describe('tollgate fmt on a part of a file', () => {
  const around = (policy: string) => `kind:  X\nspec:\n    policy:${policy}    other: [1,2]\n`;
  const UGLY_PART = around(' {inbound: [{actions: [{type: "deny"}]}]}\n');
  const NEAT_PART = around('\n      inbound:\n        - actions:\n            - type: deny\n');

  it('leaves the rest of the file unchanged', async () => {
    const path = write('a.yaml', UGLY_PART);
    expect(await fmt([`${path}#/spec/policy`])).toEqual({ code: 0, out: '~/a.yaml\n1 file formatted\n', err: '' });
    expect(readFileSync(path, 'utf8')).toBe(NEAT_PART);
    expect((await fmt(['--at', '/spec/policy', '-'], UGLY_PART)).out).toBe(NEAT_PART);
  });

  it('rejects a part that is missing, or inside brackets that must stay', async () => {
    const path = write('a.yaml', '{spec: {policy: {inbound: []}}}\n');
    expect((await fmt([`${path}#/spec/polcy`])).err).toContain('error[policy/no-such-part]: ');
    expect((await fmt([`${path}#/spec/policy`])).err).toContain('error[format/in-brackets]: ');
    expect(readFileSync(path, 'utf8')).toBe('{spec: {policy: {inbound: []}}}\n');
  });
});

describe('tollgate fmt', () => {
  it('writes and names the files that it changes', async () => {
    const ugly = write('a.yaml', UGLY);
    write('b.yaml', NEAT);
    const out = '~/a.yaml\n1 file formatted, 1 unchanged\n';
    expect(await fmt([directory])).toEqual({ code: 0, out, err: '' });
    expect(readFileSync(ugly, 'utf8')).toBe(NEAT);
    expect(await fmt([directory])).toEqual({ code: 0, out: '2 files unchanged\n', err: '' });
  });

  it('keeps the mode of a file and the link to it, and leaves no other file behind', async () => {
    const ugly = write('a.yaml', UGLY);
    chmodSync(ugly, 0o640);
    symlinkSync('a.yaml', join(directory, 'link.yaml'));
    expect((await fmt([join(directory, 'link.yaml')])).code).toBe(0);
    expect(statSync(ugly).mode & 0o777).toBe(0o640);
    expect(readFileSync(ugly, 'utf8')).toBe(NEAT);
    expect(readdirSync(directory)).toEqual(['a.yaml', 'link.yaml']);
  });

  it('writes nothing with --check, and lists files that are not formatted', async () => {
    const ugly = write('a.yaml', UGLY);
    write('b.yaml', NEAT);
    const out = '~/a.yaml\n1 file to be formatted, 1 unchanged\n';
    expect(await fmt(['--check', directory])).toEqual({ code: 1, out, err: '' });
    expect(readFileSync(ugly, 'utf8')).toBe(UGLY);
  });

  it('writes nothing with --diff, and shows what would change', async () => {
    const ugly = write('a.yaml', UGLY);
    const out = `--- ~/a.yaml\n+++ ~/a.yaml\n@@ -1 +1,3 @@\n-${UGLY}${NEAT.replaceAll(/^(?=.)/gm, '+')}`;
    expect(await fmt(['--diff', ugly])).toEqual({ code: 1, out, err: '' });
    expect(readFileSync(ugly, 'utf8')).toBe(UGLY);
    expect((await fmt(['--diff', ugly], '', true)).out).toContain('\u001b[1;31m-inbound');
    expect(await fmt(['--diff', '-'], NEAT)).toEqual({ code: 0, out: '', err: '' });
  });

  it('formats standard input to standard output', async () => {
    expect(await fmt(['-'], UGLY)).toEqual({ code: 0, out: NEAT, err: '' });
    expect(await fmt(['--check', '-'], UGLY)).toEqual({ code: 1, out: '<stdin>\n', err: '' });
  });

  it('rejects files that it cannot parse, leaves them unchanged, and formats the others', async () => {
    const broken = write('a.yaml', BROKEN);
    write('b.yaml', UGLY);
    const { code, out, err } = await fmt([directory]);
    expect([code, out]).toEqual([1, '~/b.yaml\n1 file formatted, 1 refused\n']);
    expect(err).toContain(' --> ~/a.yaml:2:1\n');
    expect(readFileSync(broken, 'utf8')).toBe(BROKEN);
  });

  it('prints only the reason when it rejects standard input', async () => {
    const { code, out, err } = await fmt(['-'], 'inbound: [{expressions: [a ==], actions: [type: log]}]');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('error[syntax/');
  });

  it('exits with 3 if a file is missing, and with 2 if the line width is invalid', async () => {
    const err = 'tollgate: cannot read `~/missing.yaml`: no such file\n';
    expect(await fmt([join(directory, 'missing.yaml')])).toEqual({ code: 3, out: '', err });
    expect((await fmt(['--line-width', '5', directory])).code).toBe(2);
  });

  it('breaks lines at the given width', async () => {
    const policy =
      "inbound:\n  - expressions:\n      - req.Path == '/a' && req.Method == 'GET'\n    actions:\n      - type: deny\n";
    expect((await fmt(['--line-width', '40', '-'], policy)).out).toContain(
      "      - >-\n        req.Path == '/a' &&\n        req.Method == 'GET'\n",
    );
  });
});

it('tollgate fmt skips files of a directory that are not policies, and names them on request', async () => {
  write('a.yaml', NEAT);
  write('edge.json', '{"hostports": ["a:1"], "policy": {"inbound": []}}');
  expect((await fmt([directory])).err).toBe('');
  expect(await fmt(['--verbose', directory])).toEqual({
    code: 0,
    out: '1 file unchanged\n',
    err: 'tollgate: skipped a file that contains no policy: ~/edge.json\n',
  });
});
