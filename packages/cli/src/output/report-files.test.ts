import {
  chmodSync,
  existsSync,
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

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  writeFileSync(join(directory, 'clean.yaml'), 'inbound: []\n');
  writeFileSync(join(directory, 'broken.yaml'), 'inbund: []\noutbund: []\n');
});

afterEach(() => rmSync(directory, { recursive: true }));

async function check(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const given = args.map(arg => arg.replace('~', directory));
  const { code, output, errors } = await runCaptured(['check', ...given], { env });
  return { code, out: output.replaceAll(directory, '~'), err: errors.replaceAll(directory, '~') };
}

function read(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

describe('reports', () => {
  it('are written to several files and standard output at once', async () => {
    const formats = ['--format', 'compact', '-f', 'sarif=~/out/deep/a.sarif', '-f', 'junit=~/junit.xml'];
    const { code, out, err } = await check([...formats, '~/broken.yaml']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^~\/broken\.yaml:1:1: error: .* \[policy\/unknown-key\]\n.*\n2 errors in 1 file\n$/);
    const [{ results, tool }] = JSON.parse(read('out/deep/a.sarif')).runs;
    expect(results).toHaveLength(2);
    expect(tool.driver.rules[0].shortDescription.text).toBe('unknown policy key');
    expect(read('junit.xml')).toContain('failures="2"');
    expect(readdirSync(directory).sort()).toEqual(['broken.yaml', 'clean.yaml', 'junit.xml', 'out']);
  });

  it('are written to the file of --output if the format names none', async () => {
    expect((await check(['-f', 'json', '-o', '~/a.json', '~/broken.yaml'])).out).toBe('');
    expect(JSON.parse(read('a.json')).counts.error).toBe(2);
  });

  it('replace a file, keeping its mode and the link to it', async () => {
    writeFileSync(join(directory, 'old.txt'), 'old');
    chmodSync(join(directory, 'old.txt'), 0o640);
    symlinkSync('old.txt', join(directory, 'link.txt'));
    await check(['-f', 'compact=~/link.txt', '~/clean.yaml']);
    expect(read('old.txt')).toBe('no problems in 1 file\n');
    expect(statSync(join(directory, 'old.txt')).mode & 0o777).toBe(0o640);
  });

  it('can be written to a device', async () => {
    expect((await check(['-f', 'json=/dev/null', '~/clean.yaml'])).code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('that cannot be written end with exit code 3, and do not stop the others', async () => {
    const { code, out, err } = await check(['-f', 'compact', '-f', 'json=~/clean.yaml/x.json', '~/clean.yaml']);
    expect([code, out]).toEqual([3, 'no problems in 1 file\n']);
    expect(err).toMatch(/^tollgate: cannot write `~\/clean\.yaml\/x\.json`: /);
  });

  it.each([
    [['-f', 'sarfi'], 'did you mean `sarif`?'],
    [['-f', 'sarif='], '`--format sarif=` expects a file name after `=`'],
    [
      ['-f', 'json', '-f', 'text'],
      '`json` and `text` cannot both go to standard output; write one to a file: `--format text=FILE`',
    ],
    [['-f', 'json=x', '-f', 'text=./x'], 'two reports cannot be written to the same file `./x`'],
    [['-f', 'json=x', '-o', 'y'], '`--output y` has no effect: every `--format` names a file'],
  ])('reject invalid destinations: %j', async (options, message) => {
    const { code, out, err } = await check([...options, '~/clean.yaml']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(existsSync('x')).toBe(false);
  });

  it('show only failures with --quiet, and nothing if there are none', async () => {
    expect(await check(['--quiet', '~/clean.yaml'])).toEqual({ code: 0, out: '', err: '' });
    expect((await check(['--quiet', '-f', 'compact', '~/broken.yaml'])).out).toContain('2 errors in 1 file');
  });

  it('count by code on request', async () => {
    const { out } = await check(['--statistics', '~/broken.yaml']);
    expect(out).toContain('\n2 error   policy/unknown-key  in 1 file, 2 fixable\n');
    const json = await check(['--statistics', '-f', 'json', '~/broken.yaml']);
    expect(JSON.parse(json.out).statistics).toEqual([
      { code: 'policy/unknown-key', severity: 'error', count: 2, fixable: 2, files: 1 },
    ]);
  });

  it('add a summary to a GitHub step', async () => {
    writeFileSync(join(directory, 'summary.md'), 'before\n');
    const { out } = await check(['-f', 'github', '~/broken.yaml'], {
      GITHUB_STEP_SUMMARY: join(directory, 'summary.md'),
    });
    expect(out).toMatch(/^::error file=.*broken\.yaml,line=1,/);
    expect(read('summary.md')).toMatch(/^before\n### Tollgate: 2 errors in 1 file\n/);
  });
});
