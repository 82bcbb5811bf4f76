import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LintDirectory } from '../fixtures/lint-directory.ts';
import { runCaptured } from '../run-captured.ts';

const ROOM = new LintDirectory();
const { write, read, lint } = ROOM;
let directory: string;

beforeEach(() => {
  directory = ROOM.make();
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  ROOM.remove();
});

it('is rejected if an older version wrote it, with a remedy', async () => {
  write({ 'a.yaml': TWO, 'known.json': '{ "version": 1, "findings": {} }' });
  const { code, err } = await lint(['a.yaml'], ['--baseline', join(directory, 'known.json')]);
  expect([code, err]).toEqual([
    3,
    'tollgate: cannot read the baseline `~/known.json`: expected version 2, found 1; run `tollgate lint --write-baseline` to renew it\n',
  ]);
});

const TWO = `inbound:
  - name: first
    expressions: ["req.Method == 'A' || req.Method == 'A'"]
    actions: [{ type: deny, config: null }]
  - name: second
    expressions: ["'curl' in req.Headers['User-Agent']"]
    actions: [{ type: deny }]
outbound: []
`;
const FORMATTED = `inbound:
  - name: first
    expressions:
      - req.Method == "A" ||
        req.Method == "A"
    actions:
      - config: null
        type: deny
  - name: second
    expressions: [ '''curl'' in req.Headers[''User-Agent'']' ]
    actions:
      - type: deny


outbound:
  []
`;
const rulesOf = (text: string) => text.split(/(?=^ {2}- name|^outbound)/m);
const [HEAD, FIRST, SECOND, REST] = rulesOf(TWO) as [string, string, string, string];

it.each([
  ['the layout', { 'a.yaml': FORMATTED }, []],
  ['the name of the file', { 'b.yaml': TWO }, []],
  ['the order of rules', { 'a.yaml': HEAD + SECOND + FIRST + REST }, []],
  ['the file of a rule', { 'a.yaml': HEAD + FIRST + REST, 'b.yaml': HEAD + SECOND }, []],
  [
    'another part',
    { 'a.yaml': TWO.replace('deny }]\noutbound', 'deny, config: { status_code: 404 } }]\noutbound') },
    [],
  ],
  ['what is found', { 'a.yaml': TWO.replaceAll("'curl'", "'wget'") }, ['type/in-on-header-list']],
  ['how often it is found', { 'a.yaml': HEAD + FIRST + SECOND + SECOND + REST }, ['type/in-on-header-list']],
  ['the number of files', { 'a.yaml': TWO, 'b.yaml': HEAD + SECOND }, ['type/in-on-header-list']],
] as const)('reports only what is new after a change of %s', async (_, files, found) => {
  const rules = ['doc/empty-phase', 'doc/config-null-vs-missing', 'type/in-on-header-list', 'logic/duplicate-operand'];
  const settings = rules.map(rule => `${rule}: warning`).join(', ');
  write({ 'tollgate.yaml': `lint: {extends: [], rules: {${settings}}}`, 'a.yaml': TWO });
  const baseline = ['--baseline', join(directory, 'known.json')];
  await lint(['.'], [...baseline, '--write-baseline']);
  expect(JSON.parse(read('known.json')).findings).toHaveLength(4);
  rmSync(join(directory, 'a.yaml'));
  write(files);
  const { codes } = await lint(['.'], baseline);
  expect(codes.map((code: string) => code.split(' ')[0])).toEqual(found);
});

it('is the same after `tollgate fmt`', async () => {
  const rules = 'doc/empty-phase: warning, type/in-on-header-list: warning, logic/duplicate-operand: warning';
  write({ 'tollgate.yaml': `lint: {extends: [], rules: {${rules}}}`, 'a.yaml': FORMATTED });
  const baseline = ['--baseline', join(directory, 'known.json')];
  await lint(['a.yaml'], [...baseline, '--write-baseline']);
  expect(JSON.parse(read('known.json')).findings).toHaveLength(3);
  await runCaptured(['fmt', join(directory, 'a.yaml')]);
  expect(read('a.yaml')).not.toBe(FORMATTED);
  expect((await lint(['a.yaml'], baseline)).codes).toEqual([]);
});
