import {
  chmodSync,
  chownSync,
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
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let home: string;
let project: string;

const ROOT = process.cwd();
/** Code that leaves a file behind when it runs. */
const code = (exported: string) =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(home, 'ran'))}, '');\n${exported}\n`;
const hasRun = () => existsSync(join(home, 'ran'));

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-trust-')));
  project = join(home, 'project');
  for (const name of ['project/.git', 'project/rules', 'project/node_modules/house', 'elsewhere'])
    mkdirSync(join(home, name), { recursive: true });
  const files = {
    'project/env.mjs': code("export default { variables: [{ path: 'req.Tenant', type: 'string' }] };"),
    'project/env.yaml': 'variables: [{ path: req.Tenant, type: string }]\n',
    'project/rules/own.mts': code('export const RULES = [];'),
    'project/rules/own.test.mjs': code(''),
    'project/node_modules/house/tollgate.yaml': 'lint: { load: [./rules.mjs] }\n',
    'project/node_modules/house/rules.mjs': code('export const RULES = [];'),
    'project/policy.yaml': 'inbound: []\n',
    'project/policy.test.yaml': 'policy: policy.yaml\ntests: []\n',
    'project/edge.json': '{"hostports": ["a.example:443"], "policy": {"inbound": []}}',
    'project/traffic.jsonl': '{"method": "GET", "url": "https://a.example/"}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  vi.spyOn(process, 'cwd').mockReturnValue(project);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCaptured(args, { env: { HOME: home, ...env } });
const settings = (text: string) => writeFileSync(join(project, 'tollgate.yaml'), text);
const at = (name: string) => join(project, name);

const ENV_COMMANDS = (): readonly (readonly string[])[] => [
  ['check', at('policy.yaml')],
  ['lint', at('policy.yaml')],
  ['lint', '--fix', at('policy.yaml')],
  ['fmt', '--check', at('policy.yaml')],
  ['test', at('policy.test.yaml')],
  ['migrate', at('policy.yaml')],
  ['replay', at('policy.yaml'), at('traffic.jsonl')],
  ['replay', '--threads', '2', at('policy.yaml'), at('traffic.jsonl')],
  ['replay', '--requirements', at('policy.yaml')],
  ['replay', '--edge', at('edge.json'), at('traffic.jsonl')],
  ['trace', at('policy.yaml'), '--url', 'https://a.example/'],
  ['trace', '--edge', at('edge.json'), '--url', 'https://a.example/'],
  ['explain'],
  ['explain', 'own/rule'],
];

describe('code of an untrusted directory', () => {
  it('is run by no command', async () => {
    settings('env: [env.mjs]\n');
    for (const args of ENV_COMMANDS()) {
      const { code, output, errors } = await run(args);
      expect([args, code, output, errors.split('\n').length, hasRun()]).toEqual([args, 2, '', 2, false]);
      expect(errors).toContain(`run \`tollgate trust ${project}\` once, or pass \`--trust\``);
    }
  });

  it.each<[string, string, readonly string[]]>([
    ['lint rules', 'lint: { load: [./rules/own.mts] }\n', ['lint', 'policy.yaml']],
    ['lint rules of a package', 'lint: { extends: [house] }\n', ['lint', 'policy.yaml']],
    ['an extension of the command line', '', ['check', 'policy.yaml', '--env', 'env.mjs']],
    ['tests of lint rules', '', ['test-rules', 'rules']],
  ])('is not run for %s', async (_, text, args) => {
    settings(text);
    const given = args.map((arg, index) => (index === 0 || arg.startsWith('-') ? arg : at(arg)));
    const { code, output, errors } = await run(given);
    expect([code, output, errors.split('\n').length, hasRun()]).toEqual([2, '', 2, false]);
  });

  it('is skipped with a message under `--no-trust`, also in a trusted directory', async () => {
    settings('env: [env.mjs]\nlint: { load: [./rules/own.mts], rules: { own/rule: error } }\n');
    expect((await run(['trust', project])).code).toBe(0);
    const { code, errors } = await run(['--no-trust', 'lint', at('policy.yaml')]);
    expect([code <= 1, hasRun()]).toEqual([true, false]);
    expect(errors.match(/does not run, because of `--no-trust`\n/g)?.length).toBe(2);
  });

  it('is not loaded where data is enough', async () => {
    settings('env: [env.yaml]\n');
    expect((await run(['check', at('policy.yaml')])).code).toBe(0);
  });

  it('is not loaded to explain a built-in code', async () => {
    settings('lint: { load: [./rules/own.mts] }\n');
    expect((await run(['explain', 'type/mismatch'])).code).toBe(0);
    expect(hasRun()).toBe(false);
  });
});

describe('code runs', () => {
  beforeEach(() => settings('env: [env.mjs]\n'));
  const check = (...more: readonly string[]) => ['check', at('policy.yaml'), ...more];

  it.each<[string, readonly string[], Readonly<Record<string, string>>, number]>([
    ['with `--trust`', ['--trust'], {}, 0],
    ['with `TOLLGATE_TRUST=1`', [], { TOLLGATE_TRUST: '1' }, 0],
    ['not with another value', [], { TOLLGATE_TRUST: '0' }, 2],
    ['not with none', [], { TOLLGATE_TRUST: '' }, 2],
  ])('%s', async (_, more, env, expected) => {
    expect([(await run(check(...more), env)).code, hasRun()]).toEqual([expected, expected === 0]);
  });

  it('in a trusted directory, until trust is revoked', async () => {
    const file = join(home, '.config/tollgate/trust.json');
    expect(await run(['trust', 'list'])).toEqual({ code: 0, output: '', errors: '' });
    expect((await run(['trust'])).code).toBe(0);
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await run(['trust', 'list'])).toEqual({ code: 0, output: `${project}\n`, errors: '' });
    expect((await run(check())).code).toBe(0);
    expect((await run(['trust', 'revoke'])).code).toBe(0);
    expect([(await run(check())).code, (await run(['trust', 'revoke'])).code]).toEqual([2, 1]);
  });

  it('not in a trusted directory with `TOLLGATE_TRUST=0`', async () => {
    await run(['trust']);
    const { code, errors } = await run(check(), { TOLLGATE_TRUST: '0' });
    expect([code, hasRun()]).toEqual([2, false]);
    expect(errors).toContain('does not run: `TOLLGATE_TRUST=0` trusts no code; remove the variable');
  });

  it('if the directory is listed where the environment says', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'config') };
    await run(['trust', project], env);
    expect([(await run(check(), env)).code, (await run(check())).code]).toEqual([0, 2]);
    expect((await run(['trust', project], { XDG_CONFIG_HOME: 'relative' })).code).toBe(0);
    expect(existsSync(join(ROOT, 'relative'))).toBe(false);
  });

  it('not through a link out of a trusted directory, nor into one', async () => {
    writeFileSync(join(home, 'elsewhere/env.mjs'), code('export default {};'));
    symlinkSync(join(home, 'elsewhere/env.mjs'), at('linked.mjs'));
    await run(['trust']);
    settings('env: [linked.mjs]\n');
    expect([(await run(check())).code, hasRun()]).toEqual([2, false]);
    await run(['trust', 'revoke']);
    await run(['trust', join(home, 'elsewhere')]);
    settings(`env: [${join(home, 'elsewhere/env.mjs')}]\n`);
    expect([(await run(check())).code, hasRun()]).toEqual([2, false]);
  });

  it('not in a directory whose name starts like that of a trusted one', async () => {
    await run(['trust', project]);
    mkdirSync(join(home, 'project-2'));
    writeFileSync(join(home, 'project-2/env.mjs'), code('export default {};'));
    const args = ['check', at('policy.yaml'), '--env', join(home, 'project-2/env.mjs')];
    settings('');
    expect([(await run(args)).code, hasRun()]).toEqual([2, false]);
  });

  it.runIf(process.getuid?.() === 0)('not in a directory that has changed hands', async () => {
    await run(['trust']);
    chownSync(project, 12_345, 12_345);
    expect((await run(check())).code).toBe(2);
  });
});

describe('the list of trusted directories', () => {
  const file = () => join(home, '.config/tollgate/trust.json');
  beforeEach(async () => {
    settings('env: [env.mjs]\n');
    await run(['trust']);
  });

  it.each<[string, () => void]>([
    ['others may write to', () => chmodSync(file(), 0o666)],
    ['lies where others may write', () => chmodSync(join(file(), '..'), 0o777)],
    ['is damaged', () => writeFileSync(file(), readFileSync(file()).subarray(5))],
    ['has no list', () => writeFileSync(file(), '{"directories": [null]}')],
    [
      'is a link to a file that others may write to',
      () => {
        writeFileSync(join(home, 'other.json'), readFileSync(file()), { mode: 0o666 });
        chmodSync(join(home, 'other.json'), 0o666);
        rmSync(file());
        symlinkSync(join(home, 'other.json'), file());
      },
    ],
  ])('is not used when it %s', async (_, damage) => {
    damage();
    const { code, errors } = await run(['check', at('policy.yaml')]);
    expect([code, errors.split('\n').length, hasRun()]).toEqual([3, 2, false]);
    expect(errors).toMatch(/^tollgate: cannot use the list of trusted directories `/);
  });

  it('trusts only directories', async () => {
    expect((await run(['trust', at('env.mjs')])).code).toBe(2);
    expect((await run(['trust', at('none')])).code).toBe(3);
  });
});
