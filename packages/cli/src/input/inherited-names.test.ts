import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { runCaptured } from '../run-captured.ts';

/** Names that every JavaScript object inherits, or that change its prototype. */
const ALL_NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', 'entries', 'length', 'name'];
const NAMES = inject('isDeep') ? ALL_NAMES : ['__proto__', 'then'];

const json = JSON.stringify;
let directory: string;
const at = (name: string) => join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-names-'));
  mkdirSync(at('.git'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

/** A map with this key, even if an object literal would set its prototype. */
const one = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

/** File contents by name. */
type Files = Readonly<Record<string, string>>;

function policiesWith(name: string) {
  const answer = {
    type: 'custom-response',
    config: { status_code: 404, content: `\${req.Headers['${name}']}`, headers: one(name, name) },
  };
  const wrongActions = [
    { type: name, config: one(name, name) },
    { type: 'add-headers', config: { headers: one(name, name), ...one(name, name) } },
    answer,
  ];
  const unknown = [`${name}.${name} == req.${name}`, `${name}()`, `'a'.${name}()`];
  const known = `req.Headers['${name}'].exists(x, x == '${name}') || req.Path == '${name}' || '${name}' in req.Params`;
  const log = { type: 'log', config: { metadata: one(name, name) } };
  return {
    wrong: { inbound: [{ name, expressions: unknown, actions: wrongActions, ...one(name, name) }], ...one(name, []) },
    good: {
      inbound: [
        { name, expressions: [known], actions: [answer] },
        { name, actions: [log] },
      ],
    },
    modern: {
      on_http_request: [
        {
          name,
          expressions: [`req.headers['${name}'][0] == cookie('${name}')`],
          actions: [{ type: name, config: one(name, 1) }],
        },
      ],
    },
  };
}

function policyFiles(name: string): Files {
  const { wrong, good, modern } = policiesWith(name);
  const ignore = `# tollgate-ignore ${name} -- a reason\n`;
  const route = { match: `/${name}`, match_type: 'path_prefix', policy: good, ...one(name, 1) };
  return {
    'wrong.yaml': ignore + json(wrong, undefined, 1),
    'good.yaml': ignore + json(good, undefined, 1),
    'modern.yaml': json(modern),
    'edge.json': json({ hostports: ['a.example:443'], policy: good, routes: [route], ...one(name, 1) }),
  };
}

function testAndSettingFiles(name: string): Files {
  const request = { url: `https://a.example/?${name}=1`, headers: one(name, name) };
  const wrong = {
    name,
    request: { ...request, ...one(name, name) },
    expect: { rules: one(name, 'matched'), ...one(name, 1) },
  };
  const right = { name, request, expect: { rules: one('inbound 1', 'matched') } };
  const rules = { ...one(name, 'off'), ...one(`${name}/${name}`, { severity: 'error', ...one(name, 1) }) };
  const project = {
    lint: { rules, extends: [name] },
    switches: one(name, name),
    limits: one(name, 1),
    ...one(name, name),
  };
  return {
    'a.test.yaml': json({ policy: 'good.yaml', tests: [wrong], ...one(name, 1) }),
    'b.test.yaml': json({ policy: 'good.yaml', tests: [right] }),
    'tollgate.yaml': json(project),
    'tollgate-baseline.json': json({ findings: one(name, name) }),
    'cache.json': json({ version: '0.1.0', entries: one(at('good.yaml'), one(name, name)), ...one(name, 1) }),
  };
}

function trafficFiles(name: string): Files {
  const url = `https://a.example/${name}?${name}=${name}`;
  const headers = { ...one(name, name), cookie: `${name}=${name}` };
  const record = {
    method: name,
    url,
    protocol: name,
    tls_version: name,
    tls_cipher: name,
    headers,
    ...one(name, name),
  };
  const other = {
    request: { ...record, http_version: name },
    tls: { version: name, cipher: name },
    geo: one(name, name),
  };
  const exchange = { request: { method: name, url, headers: one(name, [name]), ...one(name, 1) }, ...one(name, 1) };
  return {
    'traffic.jsonl': `${json(record)}\n${json(one(name, record))}\n`,
    'other.jsonl': `${json(other)}\n`,
    'traffic.csv': `method,url,${name},protocol\nGET,https://a.example/,${name},${name}\n`,
    'access.log': `127.0.0.1 - ${name} [22/Nov/2026:10:00:00 +0000] "${name} /${name}?${name} ${name}" 200 5 "${name}" "${name}"\n`,
    'exchange.yaml': json(exchange),
  };
}

function writeFiles(name: string): void {
  const files = { ...policyFiles(name), ...testAndSettingFiles(name), ...trafficFiles(name) };
  for (const [file, text] of Object.entries(files)) writeFileSync(at(file), text);
}

const COMMANDS = (name: string): readonly (readonly string[])[] => [
  ['check', directory],
  ['check', at('wrong.yaml'), at('good.yaml'), at('modern.yaml')],
  ['explain', name],
  ['explain', `${name}/${name}`],
];

const WITHOUT_SETTINGS = (name: string): readonly (readonly string[])[] => [
  ['check', at('wrong.yaml'), at('good.yaml'), at('modern.yaml'), at('a.test.yaml'), at('edge.json')],
  ['lint', at('wrong.yaml'), at('good.yaml'), at('modern.yaml'), at('a.test.yaml'), at('edge.json')],
  ['lint', '--preset', 'security', '--', at('good.yaml')],
  ['lint', '--rule', `${name}=off`, '--', at('good.yaml')],
  ['lint', '--cache', '--cache-file', at('cache.json'), '--', at('good.yaml')],
  ['lint', '--fix-dry-run', '--', at('wrong.yaml')],
  ['fmt', '--check', '--', at('wrong.yaml'), at('good.yaml'), at('modern.yaml')],
  ['migrate', at('wrong.yaml')],
  ['migrate', at('good.yaml')],
  ['test', at('a.test.yaml')],
  ['test', at('b.test.yaml')],
  ['replay', at('good.yaml'), at('traffic.jsonl'), at('other.jsonl'), at('access.log')],
  ['replay', '-f', 'json', at('good.yaml'), at('traffic.jsonl'), at('other.jsonl')],
  ['replay', '-f', 'ndjson', at('good.yaml'), at('traffic.jsonl')],
  ['replay', at('good.yaml'), at('traffic.csv')],
  ['replay', '--edge', at('edge.json'), at('traffic.jsonl')],
  ['replay', '--requirements', at('good.yaml')],
  ['trace', at('good.yaml'), '--request', at('exchange.yaml')],
  ['trace', at('good.yaml'), '--request', `${at('traffic.jsonl')}#1`],
  ['trace', at('good.yaml'), '--format', 'json', '--request', `${at('traffic.jsonl')}#1`],
  ['trace', at('good.yaml'), '--url', `https://a.example/?${name}=1`, '-H', `${name}: 1`, '-X', name],
];

it.each(NAMES)('treats `%s` like any other name in policies, tests, traffic and settings', async name => {
  writeFiles(name);
  const before = json(Object.getOwnPropertyNames(Object.prototype));
  const broken: (readonly [readonly string[], string])[] = [];
  const run = async (all: readonly (readonly string[])[]) => {
    for (const args of all) {
      const { code, errors } = await runCaptured(args);
      if (code === 70) broken.push([args, errors]);
    }
  };
  await run(COMMANDS(name));
  rmSync(at('tollgate.yaml'));
  rmSync(at('tollgate-baseline.json'));
  await run(WITHOUT_SETTINGS(name));
  expect([broken, json(Object.getOwnPropertyNames(Object.prototype))]).toEqual([[], before]);
});

const REFUSED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

it.each(REFUSED)('rejects `%s` as a name in extension files', async name => {
  writeFileSync(at('good.yaml'), 'inbound: []\n');
  const declarations: readonly (readonly [kind: string, declared: unknown])[] = [
    ['variables', { path: `${name}.then`, type: 'string' }],
    ['variables', { path: `req.${name}`, type: 'string' }],
    ['objects', { name, fields: [{ name: 'a', type: 'string' }] }],
    ['objects', { name: 'house.Thing', fields: [{ name, type: 'string' }] }],
    ['functions', { name, params: [], result: 'string', body: "'a'" }],
    ['functions', { name: `house.${name}`, params: [], result: 'string', body: "'a'" }],
    ['functions', { name: 'house', params: [{ name, type: 'string' }], result: 'string', body: "'a'" }],
    ['actions', { type: name }],
    ['actions', { type: 'house', config: [{ name, type: { kind: 'string' } }] }],
  ];
  for (const [kind, declared] of declarations) {
    writeFileSync(at('env.json'), json({ [kind]: [declared] }));
    const { code, output } = await runCaptured([
      'check',
      '-f',
      'compact',
      '--env',
      at('env.json'),
      '--',
      at('good.yaml'),
    ]);
    expect([declared, code, output]).toEqual([
      declared,
      1,
      expect.stringContaining(`\`${name}\` is a property of every JavaScript object; choose another name`),
    ]);
  }
});
