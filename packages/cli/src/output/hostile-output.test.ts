import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPORT_FORMATS } from '@tollgate/diagnostics';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runTollgate } from '../main.ts';
import { OutputError } from '../process/standard-output.ts';
import { safeText } from '../process/terminal.ts';
import { type CaptureOptions, runCaptured } from '../run-captured.ts';

/** Input that would recolour or clear a terminal, set its title, move its cursor, or change the text direction. */
const EVIL = '\u001b[31m\u001b]0;t\u0007\r\u0008\u007f\u009b1m\u0085\u061c\u200f\u202e\u2066\u2028\u0000';
/** The part of it that a file name can contain. */
const NAME = EVIL.replaceAll('\0', '').replaceAll('/', '');
/** The only control characters allowed in output are line feeds, and tabs in tables. */
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;

const json = JSON.stringify;
let directory: string;
const at = (name: string) => join(directory, name);

beforeAll(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'tollgate-hostile-')), `dir${NAME}`);
  mkdirSync(directory);
  const rule = {
    name: `rule ${EVIL}`,
    expressions: [`req.Path == ${json(`/${EVIL}`)} || req.Headers[${json(EVIL)}].exists(h, h == 'a')`],
    actions: [{ type: 'custom-response', config: { status_code: 404, content: EVIL, headers: { 'x-a': EVIL } } }],
  };
  const policy = {
    inbound: [rule, { name: EVIL, actions: [{ type: 'log', config: { metadata: { [EVIL]: EVIL } } }] }],
  };
  const wrong = { [`inbund${EVIL}`]: [], inbound: [{ [`nam${EVIL}`]: EVIL, actions: [{ type: `den${EVIL}` }] }] };
  const record = {
    method: `GET${EVIL}`,
    url: `https://a.example/${encodeURIComponent(EVIL)}`,
    headers: { 'user-agent': EVIL, [`x-${EVIL}`]: EVIL },
    client_ip: EVIL,
    time: EVIL,
  };
  const files: Readonly<Record<string, string>> = {
    'policy.yaml': json(policy, undefined, 1),
    'ugly.yaml': json(policy),
    'wrong.yaml': json(wrong),
    'raw.yaml': `inbound: [{name: "${EVIL}"}]\n`,
    [`n${NAME}.yaml`]: json(wrong),
    'a.test.yaml': json({
      policy: 'policy.yaml',
      tests: [{ name: EVIL, request: { url: 'https://a.example/' }, expect: { outcome: EVIL } }],
    }),
    'b.test.yaml': json({
      policy: `none${NAME}.yaml`,
      tests: [{ name: EVIL, expect: { rules: { [`inbound ${EVIL}`]: 'matched' } } }],
    }),
    'traffic.jsonl': `${json(record)}\n${json({ method: 'GET', url: 'https://a.example/', headers: { a: EVIL } })}\n{"${EVIL}\n`,
    'access.log': `127.0.0.1 - ${EVIL} [22/Nov/2026:10:00:00 +0000] "GET /${EVIL} HTTP/1.1" 200 5 "${EVIL}" "${EVIL}"\n${EVIL}\n`,
    'edge.json': json({
      hostports: [`a.example:443${EVIL}`],
      policy,
      routes: [{ match: `/${EVIL}`, match_type: 'path_prefix', policy }],
    }),
    'tollgate.yaml': json({ [EVIL]: EVIL, env: [EVIL], lint: { extends: [EVIL], rules: { [EVIL]: 'on' } } }),
    'env.yaml': json({ variables: [{ path: EVIL, type: EVIL }], [EVIL]: 1 }),
    'exchange.yaml': json({ request: { method: EVIL, url: `https://a.example/${EVIL}`, headers: { [EVIL]: [EVIL] } } }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
});

afterAll(() => rmSync(join(directory, '..'), { recursive: true }));

const REPORTS = Object.keys(REPORT_FORMATS).filter(one => one !== 'markdown');
/** Those that a second and third run of all commands repeat, unless there is time for each. */
const FEW_REPORTS = inject('isDeep') ? REPORTS : REPORTS.slice(0, 2);

const COMMANDS = (reports: readonly string[]): readonly (readonly string[])[] => {
  const policies = ['policy.yaml', 'wrong.yaml', 'raw.yaml', `n${NAME}.yaml`, `missing${NAME}.yaml`].map(at);
  return [
    ...reports.flatMap(format => [
      ['check', '-f', format, '--', ...policies],
      ['check', '-f', format, '--', directory],
      ['lint', '-f', format, '--', ...policies, at('a.test.yaml'), at('b.test.yaml'), at('edge.json')],
      ['test', '-f', format, '--', at('a.test.yaml'), at('b.test.yaml')],
    ]),
    ['check', '--env', at('env.yaml'), '--', at('policy.yaml')],
    ['check', '--env', at('tollgate.yaml'), '--', at('policy.yaml')],
    ['check', '--env', at(`e${NAME}.mjs`), '--', at('policy.yaml')],
    ['check', EVIL],
    ['check', `--${EVIL}`],
    ['check', '--at', EVIL, 'x'],
    ['check', '-f', EVIL, 'x'],
    [EVIL],
    ['fmt', '--check', '--', ...policies],
    ['fmt', '--diff', '--color', 'always', '--', ...policies],
    ['migrate', at('wrong.yaml')],
    ['explain', EVIL],
    ['replay', at('policy.yaml'), at('traffic.jsonl'), at('access.log'), at(`no${NAME}.log`)],
    ['replay', '-f', 'markdown', at('policy.yaml'), at('traffic.jsonl'), at('access.log')],
    ...['json', 'ndjson'].map(one => ['replay', '-f', one, at('policy.yaml'), at('traffic.jsonl'), at('access.log')]),
    ['replay', '--strict', at('policy.yaml'), at('traffic.jsonl')],
    ['replay', at('wrong.yaml'), at('traffic.jsonl')],
    ['replay', '--requirements', at('policy.yaml')],
    ['replay', '--edge', at('edge.json'), at('traffic.jsonl')],
    ['trace', at('policy.yaml'), '--url', 'https://a.example/', '-H', `x-a: ${EVIL}`, '--client-ip', EVIL],
    ['trace', '-f', 'json', at('policy.yaml'), '--request', `${at('traffic.jsonl')}#1`],
    ['trace', at('policy.yaml'), '--request', at('exchange.yaml')],
    ['trace', at('policy.yaml'), '--request', `${at('traffic.jsonl')}#1`],
    ['trace', at('policy.yaml'), '--request', `${at('traffic.jsonl')}#2`],
    ['trace', at('policy.yaml'), '--request', `${at('traffic.jsonl')}#3`],
    ['trace', at('policy.yaml'), '--request', `${at('access.log')}#1`],
    ['trace', '--edge', at('edge.json'), '--url', 'https://a.example/'],
    ['new', 'rule', EVIL],
    ['new', 'rule', 'team/no-log', '--directory', at(`r${NAME}`)],
    ['test-rules', at(`r${NAME}`)],
    ['trust', at(`none${NAME}`)],
    ['trust', directory],
    ['trust', 'list'],
    ['keys', 'revoke', EVIL, '--database', at('none.db')],
    ['store', 'import', at('traffic.jsonl'), '--database', at('none.db')],
    ['events', 'requeue', EVIL, '--database', at('none.db')],
    ['serve', '--database', at(`${NAME}/no.db`)],
  ];
};

/** What remains after removing colours. */
const withoutColours = (text: string) => text.replaceAll(/\u001b\[(?:0|1|2|34|1;3[1236])m/g, '');

describe('control characters of any input', () => {
  it.each<[string, CaptureOptions, readonly string[]]>([
    ['a pipe', {}, REPORTS],
    ['a terminal', { isInteractive: true, columns: 100 }, FEW_REPORTS],
  ])('do not reach %s', async (_, terminal, reports) => {
    for (const args of COMMANDS(reports)) {
      const env = { ...terminal.env, HOME: directory, NO_COLOR: terminal.isInteractive ? '' : '1' };
      const { output, errors } = await runCaptured(args, { ...terminal, env });
      const shown = withoutColours(output + errors);
      expect([args, shown.split('\n').filter(line => RAW.test(line))]).toEqual([args, []]);
    }
  });

  it('become visible, except those that Tollgate sends itself', () => {
    expect(safeText('\r\u001b[K\u001b[1;31merror\u001b[0m: \u001b[31m\u009b\r\na\tb')).toBe(
      '\r\u001b[K\u001b[1;31merror\u001b[0m: ␛[31m�␍\na\tb',
    );
  });
});

it('a full disk ends every command with exit code 3 and one line', async () => {
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  for (const args of COMMANDS(FEW_REPORTS)) {
    let [isWritten, errors] = [false, ''];
    const code = await runTollgate(args, {
      write: text => {
        if (text === '') return;
        isWritten = true;
        throw new OutputError(cause);
      },
      writeError: text => {
        errors += text;
      },
      readInput: async () => new Uint8Array(),
      isInteractive: false,
      env: { HOME: directory },
    });
    const told = errors.split('\n').filter(line => line.startsWith('tollgate: cannot write to standard output'));
    expect([args, code === 3, told]).toEqual([
      args,
      isWritten || code === 3,
      isWritten ? ['tollgate: cannot write to standard output: no space left on the device'] : [],
    ]);
    expect([args, errors.includes('internal error')]).toEqual([args, false]);
  }
});
