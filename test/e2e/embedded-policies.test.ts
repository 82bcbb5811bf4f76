import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const at = (name: string) => join(directory, name);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const read = (name: string) => readFileSync(at(name), 'utf8');
const plain = (text: string) => text.replaceAll(`${directory}/`, '');

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, output, errors } = await runCaptured(args.map(one => one.replace('~', directory)));
  return { code, out: plain(output), err: plain(errors) };
}

const CONFIG_MAP = `kind:   ConfigMap
data:
  # kept
  policy.yaml: |
    on_http_request:
        - name: admin
          expressions: ["req.url.path == '/admin'"]
          actions:
            - type:  deny
  other: [1,   2]
---
kind: NgrokTrafficPolicy
spec:
    policy:
        on_http_request: [] # nothing yet
`;

it.each(['check', 'lint', 'fmt --check', 'migrate', 'trace'])(
  '%s of an address that leads to no policy in Markdown or Terraform names those that are there',
  async command => {
    const [name = '', ...options] = command.split(' ');
    const request = name === 'trace' ? ['--url', 'https://shop.example/'] : [];
    write('a.md', '```sh\nmake\n```\n\n```yaml\non_http_request: []\n```\n');
    write('a.tf', 'resource "x" "shop" {\n  policy = <<EOT\non_http_request: []\nEOT\n}\n');
    for (const [address, there] of [
      ['a.md#1', 'a.md#2'],
      ['a.md#9', 'a.md#2'],
      ['a.tf#/policy', 'a.tf#/resource/x/shop/policy'],
    ]) {
      const { code, out, err } = await run(name, ...options, `~/${address}`, ...request);
      expect([out, err]).toEqual(['', `tollgate: no policy at \`${address}\`; name one of: \`${there}\`\n`]);
      expect(code).toBeGreaterThan(1);
    }
  },
);

it('check reports findings at their place in the file, and nothing about other files', async () => {
  write('a.yaml', CONFIG_MAP.replace('url.path', 'url.pth'));
  write('b.yaml', 'enabled: true\ninbound: [{port: 80}]\n');
  write('c.yaml', '');
  const { code, out, err } = await run('check', '-f', 'compact', '~');
  expect([code, err]).toEqual([1, '']);
  expect(out.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^a\.yaml:7:34: error: .*no field `pth`/),
    expect.stringMatching(/^1 error/),
  ]);
  expect((await run('check', '--verbose', '~')).err).toBe(
    'tollgate: skipped 2 files that contain neither a policy nor tests: b.yaml, c.yaml\n',
  );
});

it('fmt changes the policies and nothing else', async () => {
  write('a.yaml', CONFIG_MAP);
  expect(await run('fmt', '~/a.yaml')).toMatchObject({ code: 0, err: '' });
  const indented = CONFIG_MAP.split('\n').slice(5, 9).join('\n');
  const formatted =
    "      - name: admin\n        expressions:\n          - req.url.path == '/admin'\n        actions:\n          - type: deny";
  expect(read('a.yaml')).toBe(CONFIG_MAP.replace(indented, formatted));
});

it('lint --fix changes the string that contains the policy, and nothing else', async () => {
  write('tollgate.yaml', 'lint: {extends: [], rules: {doc/empty-phase: on}}');
  const text = CONFIG_MAP.replace('  other:', '    on_http_response: []\n  other:');
  write('a.yaml', text);
  expect((await run('lint', '--fix', '~/a.yaml#1/data/policy.yaml')).code).toBe(0);
  expect(read('a.yaml')).toBe(CONFIG_MAP);
});

it('trace and test run the named policy, with lines of the file', async () => {
  write('a.yaml', CONFIG_MAP);
  const several = await run('trace', '~/a.yaml', '--url', 'https://a.example/');
  expect(several).toEqual({
    code: 3,
    out: '',
    err: 'tollgate: `a.yaml` contains 2 policies; name one: `a.yaml#1/data/policy.yaml`, `a.yaml#2/spec/policy`\n',
  });
  const { out } = await run('trace', '~/a.yaml#1/data/policy.yaml', '--url', 'https://a.example/admin');
  expect(out).toContain('admin  matched  line 6\n');
  write(
    'a.test.yaml',
    'policy: a.yaml#1/data/policy.yaml\ntests:\n  - {name: a, request: {url: "https://a.example/admin"}, expect: {outcome: denied}}\n',
  );
  expect((await run('test', '~/a.test.yaml')).code).toBe(0);
});

it('migrate writes the new policy into the string', async () => {
  const old =
    'x: 1\npolicy: |\n  inbound:\n    - expressions: ["req.Method == \'GET\'"]\n      actions: [{type: deny}]\ny:   2\n';
  write('a.yaml', old);
  expect(await run('migrate', '--write', '~/a.yaml')).toMatchObject({ code: 0, err: '' });
  expect(read('a.yaml')).toBe(old.replace('inbound', 'on_http_request').replace('req.Method', 'req.method'));
});

it('tollgate.yaml names places that cannot be detected', async () => {
  write('tollgate.yaml', 'embedded: [{files: [gates/*, "*.yaml"], kind: Gate, path: /spec/*/rules}]');
  write('a.yaml', 'kind: Gate\nspec:\n  a: {rules: {on_htp: []}}\n  b: {rules: "on_htp: []"}\n');
  write('b.yaml', 'kind: Other\nspec:\n  a: {rules: {on_htp: []}}\n');
  const { out } = await run('check', '-f', 'compact', '~');
  expect(out.match(/^\S+: error/gm)).toEqual(['a.yaml:3:15: error', 'a.yaml:4:15: error']);
});

it('treats placeholders as unknown, in one file or in all', async () => {
  const text =
    'on_http_request:\n  - name: $NAME\n    expressions: ["req.pth == \'${X}\'"]\n    actions: [{type: custom-response, config: {status_code: $CODE}}]\n';
  write('a.yaml', text);
  write('b.yaml', text);
  const found = async (...args: readonly string[]) =>
    [...(await run('check', '-f', 'compact', ...args, '~')).out.matchAll(/^\S+: error/gm)].map(([line]) => line);
  expect(await found('--templates', 'envsubst')).toEqual(['a.yaml:3:24: error', 'b.yaml:3:24: error']);
  write('tollgate.yaml', 'templates: [{files: [a.*], language: envsubst}]');
  expect(await found()).toEqual(['a.yaml:3:24: error', 'b.yaml:3:24: error', 'b.yaml:4:61: error']);
});

it('runs a policy with placeholders: what depends on one is undetermined', async () => {
  const policy = 'on_http_request:\n  - expressions: ["req.url.path == {{ path }}"]\n    actions: [{type: deny}]\n';
  write('a.yaml', policy);
  const { code, out } = await run('trace', '--templates', 'jinja', '~/a.yaml', '--url', 'https://a.example/');
  expect([code, out]).toEqual([0, expect.stringContaining('undetermined')]);
});

it.each([
  ["req.url.path == '/{{ path }}/x'", 'undetermined'],
  ["req.url.path.startsWith('/{{ path }}')", 'undetermined'],
  ["req.url.path.matches('^/{{ path }}$')", 'undetermined'],
  ["req.method in ['{{ method }}', 'PUT']", 'undetermined'],
  ["req.method == 'GET' || req.method == '{{ method }}'", 'matched'],
  ["bytes(req.method) == b'{{ method }}'", 'undetermined'],
  ["{'{{ key }}': 1}.size() == 1 && req.method == 'PUT'", 'not matched'],
  ["[req.method].exists(m, m == '{{ method }}')", 'undetermined'],
])('a string with a placeholder is unknown: %s', async (expression, status) => {
  const rule = (text: string) =>
    `  - expressions: [${JSON.stringify(text)}]\n    actions: [{type: log, config: {metadata: {a: b}}}]\n`;
  // The shape of an expression without placeholders must not decide the other.
  const others = ["req.url.path == '/a'", "req.url.path.startsWith('/a')", "req.method in ['PATCH', 'PUT']"].map(rule);
  write('a.yaml', `on_http_request:\n${others.join('').repeat(3)}${rule(expression)}`);
  const { code, out } = await run(
    'trace',
    '--templates',
    'jinja',
    '~/a.yaml',
    '--url',
    'https://a.example/',
    '--rule',
    '10',
  );
  expect([code, out]).toEqual([0, expect.stringContaining(`on_http_request 10  ${status}`)]);
});

it('finds and changes policies in Terraform and Markdown', async () => {
  const policy = 'on_http_request:\n- actions: [{type: deny}]\n';
  const formatted = 'on_http_request:\n  - actions:\n      - type: deny\n';
  const terraform = (text: string) => `resource "r" "a" {\n  p = <<EOT\n${text}EOT\n  b   = 1\n}\n`;
  const markdown = (text: string) => `*   a\n\n> \`\`\`yaml\n${text.replace(/^(?=.)/gm, '> ')}> \`\`\`\n`;
  write('main.tf', terraform(policy));
  write('README.md', markdown(policy));
  expect((await run('fmt', '~')).code).toBe(0);
  expect([read('main.tf'), read('README.md')]).toEqual([terraform(formatted), markdown(formatted)]);
});
