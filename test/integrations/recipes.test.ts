import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source-file.ts';

/** From PyPI; see scripts/install-test-tools.sh. */
const TOOLS = join(ROOT, 'node_modules/.cache/tollgate-ci-tools/bin');
/** Of all packages. */
const { version: VERSION }: { readonly version: string } = JSON.parse(
  readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'),
);
const hasTools = existsSync(join(TOOLS, 'check-jsonschema'));

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-recipes-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
  const ci = ['github', 'gitlab', 'circleci', 'jenkins', 'pre-commit'];
  await runCaptured(['init', directory, '--template', 'api', ...ci.flatMap(one => ['--ci', one])]);
  vi.restoreAllMocks();
});

afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));

const own = (path: string) => join(ROOT, path);
const written = (path: string) => join(directory, path);
const WORKFLOWS = readdirSync(own('.github/workflows')).map(name => own(`.github/workflows/${name}`));

describe.skipIf(!hasTools || !inject('isDeep'))('the schema of the service accepts', () => {
  it.each<[string, string]>([
    ['vendor.github-actions', own('action.yml')],
    ...WORKFLOWS.map((path): [string, string] => ['vendor.github-workflows', path]),
    ['vendor.dependabot', own('.github/dependabot.yml')],
    ['vendor.gitlab-ci', own('integrations/gitlab/tollgate.gitlab-ci.yml')],
    ['vendor.github-workflows', '.github/workflows/tollgate.yml'],
    ['vendor.gitlab-ci', '.gitlab-ci.yml'],
    ['vendor.circle-ci', '.circleci/config.yml'],
  ])('%s: %s', (schema, file) => {
    const path = file.startsWith('/') ? file : written(file);
    execFileSync(join(TOOLS, 'check-jsonschema'), ['--builtin-schema', schema, path], { stdio: 'pipe' });
  });

  it('pre-commit: the hooks, and the configuration that uses them', () => {
    execFileSync(join(TOOLS, 'pre-commit'), ['validate-manifest', own('.pre-commit-hooks.yaml')], { stdio: 'pipe' });
    const config = written('.pre-commit-config.yaml');
    execFileSync(join(TOOLS, 'pre-commit'), ['validate-config', config], { stdio: 'pipe' });
  });
});

/** `go install github.com/rhysd/actionlint/cmd/actionlint@latest`. */
const hasActionlint = spawnSync('actionlint', ['-version']).status === 0;

it.skipIf(!hasActionlint || !inject('isDeep'))('actionlint finds nothing in the workflows', () => {
  const workflows = [...WORKFLOWS, written('.github/workflows/tollgate.yml')];
  const { status, stdout } = spawnSync('actionlint', ['-shellcheck=', ...workflows], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

it.skipIf(!existsSync(join(TOOLS, 'zizmor')) || !inject('isDeep'))(
  'zizmor finds nothing in workflows and the action',
  () => {
    const audited = [...WORKFLOWS, own('.github/dependabot.yml'), own('action.yml')];
    const { status, stdout } = spawnSync(
      join(TOOLS, 'zizmor'),
      ['--offline', '--no-progress', '--min-severity', 'medium', ...audited],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('No findings to report')]);
  },
);

describe.skipIf(!hasTools || !inject('isDeep'))('pre-commit', () => {
  it('formats, lints and tests before a commit, for real', () => {
    const home = join(directory, 'home');
    const shop = join(directory, 'shop');
    const hooks = join(directory, 'hooks');
    for (const path of [home, shop, hooks]) mkdirSync(path);
    // The package is not published for this version: the installed command stands in for `npx`.
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    const command = `exec '${process.execPath}' '${own('packages/cli/bin/tollgate.js')}'`;
    const words = '[ "$1 $2 $3" = "--yes --package=@tollgate/cli@0.1.0 tollgate" ] || exit 99; shift 3';
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\n${words}\n${command} "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home };
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const git = (cwd: string, ...args: readonly string[]) =>
      execFileSync('git', [...identity, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
    git(hooks, 'init', '-q');
    writeFileSync(join(hooks, '.pre-commit-hooks.yaml'), readFileSync(own('.pre-commit-hooks.yaml')));
    git(hooks, 'add', '-A');
    git(hooks, 'commit', '-qm', 'x');
    git(hooks, 'tag', `v${VERSION}`);
    git(shop, 'init', '-q');
    const config = readFileSync(written('.pre-commit-config.yaml'), 'utf8');
    writeFileSync(join(shop, '.pre-commit-config.yaml'), config.replace(/https:\S+/, hooks));
    writeFileSync(join(shop, 'a.yaml'), 'on_http_request: [{name: a,   actions: [{type: deny}]}]\n');
    writeFileSync(
      join(shop, 'a.test.yaml'),
      'policy: a.yaml\ntests: [{name: a, request: {url: /}, expect: {outcome: denied}}]\n',
    );
    git(shop, 'add', '-A');
    const run = (): string => {
      try {
        return execFileSync(join(TOOLS, 'pre-commit'), ['run', '--all-files'], {
          cwd: shop,
          env,
          encoding: 'utf8',
          stdio: 'pipe',
        });
      } catch (error) {
        return String((error as { readonly stdout?: unknown }).stdout);
      }
    };
    expect(run()).toMatch(/format traffic policies\.*Failed[\s\S]*files were modified by this hook/);
    git(shop, 'add', '-A');
    const second = run();
    expect(second.match(/(?:format|lint|test) traffic policies\.*Passed/g)?.length).toBe(3);
    writeFileSync(join(shop, 'a.yaml'), 'on_http_request:\n  - name: a\n    actions:\n      - type: dney\n');
    expect(run()).toMatch(/lint traffic policies\.*Failed[\s\S]*dney/);
  });
});

it('names the version of the package in every file', () => {
  const files = ['action.yml', '.pre-commit-hooks.yaml', '.github/workflows/policies.yml'];
  const gitlab = ['integrations/gitlab/tollgate.gitlab-ci.yml', 'integrations/gitlab/templates/tollgate.yml'];
  for (const file of [...files, ...gitlab]) {
    // What is pinned by commit has the version of another project in a comment.
    const found = readFileSync(own(file), 'utf8').match(/(?<!@[0-9a-f]{40} # v[\d.]*)\d+\.\d+\.\d+/g);
    expect([file, [...new Set(found)]]).toEqual([file, [VERSION]]);
  }
});

it('runs only commands and options that exist', async () => {
  const lines = [
    ...scriptsOf(parse(readFileSync(own('integrations/gitlab/tollgate.gitlab-ci.yml'), 'utf8'))),
    ...[...readFileSync(written('Jenkinsfile'), 'utf8').matchAll(/sh 'npx (tollgate [^']*)'/g)].map(
      ([, line]) => line!,
    ),
    ...readFileSync(written('.circleci/config.yml'), 'utf8').match(/tollgate (?:lint|test).*/g)!,
  ];
  expect(lines.length).toBe(8);
  for (const line of lines) {
    const words = line.replaceAll('"', '').split(' ').slice(1);
    const { errors } = await runCaptured([...words.filter(word => !word.startsWith('$') && word !== '.'), '--help']);
    expect([line, errors]).toEqual([line, '']);
  }
});

/** The lines of the jobs that start the command. */
function scriptsOf(file: Readonly<Record<string, { readonly script?: readonly string[] }>>): readonly string[] {
  return Object.values(file).flatMap(({ script = [] }) => script.filter(line => line.startsWith('tollgate ')));
}
