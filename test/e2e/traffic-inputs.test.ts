import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { runCaptured } from '@tollgate/cli';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const POLICY = join(ROOT, 'examples/policies/bookshop.yaml');
const LOG = join(ROOT, 'examples/traffic/access.log');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-inputs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tollgate = (...args: string[]) => runCaptured(args);

async function replay(...args: string[]) {
  const { code, output, errors } = await tollgate('replay', '--format', 'json', POLICY, ...args);
  expect([code, errors]).toEqual([0, '']);
  const { files, exchanges, rules, skipped } = JSON.parse(output);
  return { files, exchanges, rules, skipped };
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const CHANGED = readFileSync(POLICY, 'utf8').replace("'/admin/'", "'/adm/'");
const RECORD = '{"verb":"GET","uri":"/robots.txt","agent":"GPTBot"}\n';

describe('the traffic of a replay', () => {
  it('may be directories, patterns and compressed files', async () => {
    const log = readFileSync(LOG);
    file('logs/access.log', log);
    file('logs/old/access.log.1.gz', gzipSync(log));
    file('logs/old/access.log.2.zst', zstdCompressSync(log));
    file('logs/README.md', 'no traffic');
    file('logs/.hidden/access.log', 'no traffic');
    const { files, exchanges } = await replay(join(folder, 'logs'), join(folder, 'logs/old/*.zst'));
    const names = ['logs/access.log', 'logs/old/access.log.1.gz', 'logs/old/access.log.2.zst'];
    expect(files.map((one: { file: string }) => one.file)).toEqual(names.map(name => join(folder, name)));
    expect(exchanges).toBe(243 * 3);
  });

  it('gives the same result with the format named, with a log directive, and with neither', async () => {
    const combined =
      '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
    const told = await replay(LOG);
    for (const format of ['combined', combined, `log_format main '${combined}';`]) {
      expect(await replay('--log-format', format, LOG)).toEqual(told);
    }
  });

  it('may have other field names, given by an option or a file', async () => {
    const lines = file('a.jsonl', RECORD);
    const fields = 'method=verb,target=uri,user_agent=agent';
    const mapping = file('mapping.yaml', 'fields: { method: verb, target: uri, request_headers.User-Agent: agent }\n');
    const [byOption, byFile] = [await replay('--fields', fields, lines), await replay('--mapping', mapping, lines)];
    expect(byOption).toEqual(byFile);
    expect(byOption.rules[0]).toMatchObject({ matched: 0, notMatched: 1 });
    const { skipped } = await replay('--allow-empty', lines);
    expect(skipped).toMatchObject([{ reason: 'traffic/no-fields', count: 1 }]);
  });

  it.each([
    ['a field that does not exist', ['--fields', 'verb=a'], 2, 'unknown field `verb`; use one of `time`, `client_ip`'],
    ['a pair without a path', ['--fields', 'verb'], 2, 'expected `field=path`, found `verb`'],
    ['a log format that is none', ['--log-format', 'main'], 2, '--log-format: expected a log format of nginx'],
    ['a mapping that does not exist', ['--mapping', join(folder, 'none.yaml')], 3, 'no such file'],
    ['a pattern without a file', [join(folder, '*.none')], 3, 'no file matches'],
  ])('is rejected for %s', async (_, args, code, message) => {
    const refused = await tollgate('replay', POLICY, LOG, ...args);
    expect([refused.code, refused.output]).toEqual([code, '']);
    expect(refused.errors).toContain(message);
  });

  it.each([
    ['replay', ['replay', POLICY], ''],
    ['impact', ['impact', POLICY, file('changed.yaml', CHANGED)], ''],
    ['trace', ['trace', POLICY, '--request'], '#1'],
  ])('is said to have members that are not read by %s, with the option to add', async (command, args, record) => {
    const lines = file('own.jsonl', '{"host":"e.co","ip":"192.0.2.1","m":"GET","uri":"/robots.txt","status":200}\n');
    const { output, errors } = await tollgate(...args, `${lines}${record}`);
    const told = `${output}${errors}`;
    expect(told).toMatch(/has members that are not read: `ip`, `m`, `uri`/);
    const [, option] = /--fields '([^']*)'/.exec(told) ?? [];
    expect({ command, option }).toEqual({ command, option: 'client_ip=ip,method=m,target=uri' });
    const cured = await tollgate(...args, '--fields', option!, `${lines}${record}`);
    expect(`${cured.output}${cured.errors}`).not.toContain('not read');
  });

  it('is not read with an invalid mapping, which is reported at its position', async () => {
    const mapping = file('wrong.yaml', 'fields:\n  verb: a\n');
    const { code, output } = await tollgate('replay', '--mapping', mapping, POLICY, LOG);
    expect(code).toBe(1);
    expect(output).toContain('unknown field `verb`');
    expect(output).toContain('wrong.yaml:2:3');
  });

  it('must be readable throughout with `--strict`', async () => {
    const lines = file('half.jsonl', '{"method":"GET"}\n{"method":"G\n');
    const { code, output, errors } = await tollgate('replay', '--strict', POLICY, lines, LOG);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toBe(`tollgate: \`${lines}:2\` cannot be read: not a JSON object: {"method":"G\n`);
    expect((await tollgate('replay', '--strict', POLICY, LOG)).code).toBe(0);
  });
});
