// The steps of the action in `action.yml`: node action.mjs lint|test|compare|plan|apply
// Reads what GitHub and the action put into the environment. `TOLLGATE_COMMAND` replaces the command, as JSON list of its words.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { basename, delimiter, isAbsolute, join, relative, sep } from 'node:path';

const { env } = process;
const MARKER = '<!-- tollgate -->';
/** GitHub rejects longer comments. */
const MAX_COMMENT = 65_000;
/** Mistakes that are shown for each policy. */
const MAX_SURVIVORS = 5;
const POLICY_FILE = /[.](?:ya?ml|json|tf|tofu|mdx?)$/;

const event = env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {};
const pull = event.pull_request;
const isFork = pull !== undefined && pull.head.repo?.full_name !== pull.base.repo.full_name;
const folder = mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), 'tollgate-'));

const STEPS = { lint, test, compare, plan, apply };

try {
  const step = STEPS[process.argv[2]];
  if (!step) throw new Error(`expected one of ${Object.keys(STEPS).join(', ')}`);
  process.exitCode = await step();
} catch (error) {
  command('error', error.message);
  process.exitCode = 3;
} finally {
  if (process.argv[2] !== 'lint') rmSync(folder, { recursive: true, force: true });
}

function lint() {
  const sarif = join(folder, 'tollgate.sarif');
  if (isFork)
    command('notice', 'This pull request comes from a fork: lint rules and extensions of the repository do not run.');
  // The format `github` also writes the summary.
  const files = ['-f', 'github', '-f', `sarif=${sarif}`, '-f', `text=${at('lint.txt')}`];
  const { status } = tollgate(['lint', ...files, '--fail-on', env.TOLLGATE_FAIL_ON || 'error', ...paths()], 'inherit');
  if (existsSync(sarif)) output('sarif', sarif);
  showText('lint.txt', 'All findings');
  return status;
}

function test() {
  const files = ['-f', 'github', '-f', `text=${at('test.txt')}`];
  const { status, stderr } = tollgate(['test', ...files, ...paths()]);
  if (status === 3 && stderr.includes('no file of policy tests')) {
    command('notice', 'There are no policy tests; `tollgate new test POLICY` writes some.');
    return 0;
  }
  process.stderr.write(stderr);
  showText('test.txt', 'All tests');
  return status;
}

/** Comments on what the pull request decides differently. A fork has no right to comment, so the summary has to do. */
async function compare() {
  const base = git('merge-base', pull.base.sha, 'HEAD').trim();
  const names = git('diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', base, 'HEAD').split('\0');
  const decided = names.filter(name => POLICY_FILE.test(name)).flatMap(name => comparison(name, base));
  const parts = [...decided, ...compareTests(names, base)];
  const found = parts.length > 0 ? parts.join('\n\n') : 'No policy decides differently.';
  const body = shortened(`${MARKER}\n## Tollgate\n\n${found}\n`);
  append(env.GITHUB_STEP_SUMMARY, body);
  if (isFork)
    command(
      'notice',
      'This pull request comes from a fork: the comparison is in the summary of the run, not in a comment.',
    );
  else await comment(body);
  return 0;
}

function comparison(name, base) {
  const after = existsSync(name);
  const before = git('ls-tree', '-z', '--name-only', base, '--', name) !== '';
  if (!before || !after)
    return isPolicy(after ? name : write(name, git('cat-file', 'blob', `${base}:${name}`)))
      ? [`### ${code(name)}\n\n${after ? 'A new policy.' : 'The policy was removed.'}`]
      : [];
  const old = write(name, git('cat-file', 'blob', `${base}:${name}`));
  const arePolicies = [old, name].map(isPolicy);
  // Other files, and policies with errors, which lint reports.
  if (!arePolicies.includes(true)) return [];
  if (arePolicies.includes(false))
    return [`### ${code(name)}\n\nNot compared: only one of both versions is a policy without errors.`];
  const { status, stdout } = tollgate(['diff', '--format', 'markdown', '--', old, name]);
  if (status === 0) return [];
  if (status === 1)
    return [`${stdout}\n${impact(old, name)}`.replace(/^(### .*: )<code>.*?<\/code> → /gm, '$1').trimEnd()];
  return [`### ${code(name)}\n\nNot compared; run \`tollgate diff\` on its policies.`];
}

/** Returns whose recorded requests the change affects, if the workflow names a recording. */
function impact(old, name) {
  const traffic = (env.TOLLGATE_TRAFFIC ?? '').split(/\s+/).filter(Boolean);
  if (traffic.length === 0) return '';
  const { status, stdout, stderr } = tollgate([
    'impact',
    '-f',
    'markdown',
    '--no-progress',
    '--',
    old,
    name,
    ...traffic,
  ]);
  return status <= 1 ? stdout : `The impact on recorded traffic is unknown: ${code(stderr.trim())}\n`;
}

/** Returns what the tests of changed policies no longer reach or notice, or newly do; nothing if that is as before. */
function compareTests(names, base) {
  if (!names.some(name => POLICY_FILE.test(name))) return [];
  const after = testReport('after.json', [`--changed=${base}`, ...paths()]);
  const files = (after?.files ?? []).map(({ file }) => file);
  if (files.length === 0) return [];
  const folder = checkedOut(base);
  const known = files.filter(file => existsSync(join(folder, file)));
  const before = known.length === 0 ? undefined : testReport('before.json', ['--', ...known], folder);
  const policies = [...(after.coverage ?? []), ...(after.mutants ?? [])].map(({ policy }) => policy);
  return [...new Set(policies)].flatMap(policy => testComparison(policy, before, after));
}

/** Runs tests with their coverage and mutants. Returns undefined if none could be run. */
function testReport(name, args, cwd) {
  tollgate(['test', '-f', `json=${at(name)}`, '--coverage', '--mutate', ...args], 'pipe', cwd);
  return existsSync(at(name)) ? JSON.parse(readFileSync(at(name), 'utf8')) : undefined;
}

/** Writes the files of a commit into a folder that Git does not know. */
function checkedOut(commit) {
  const target = at('base');
  // A folder with `.git` is a repository, outside of which no test may read.
  mkdirSync(join(target, '.git'), { recursive: true });
  const index = { GIT_INDEX_FILE: at('index') };
  gitWith(index, 'read-tree', commit);
  gitWith(index, 'checkout-index', '--all', '--force', `--prefix=${target}/`);
  return target;
}

function testComparison(policy, before, after) {
  const of = report => ({
    coverage: report?.coverage?.find(one => one.policy === policy),
    mutants: report?.mutants?.find(one => one.policy === policy),
  });
  const [was, is] = [of(before), of(after)];
  const known = new Map();
  for (const one of survivorsOf(was)) known.set(mutantKey(one), (known.get(mutantKey(one)) ?? 0) + 1);
  const added = survivorsOf(is).filter(one => {
    const count = known.get(mutantKey(one)) ?? 0;
    known.set(mutantKey(one), count - 1);
    return count <= 0;
  });
  const isCovered = was.coverage?.percent === is.coverage?.percent;
  if (isCovered && added.length === 0) return [];
  const covered = was.coverage === undefined ? '' : `${was.coverage.percent} % → `;
  const noticed =
    added.length === 1 ? '1 new mistake that no test notices' : `${added.length} new mistakes that no test notices`;
  const verdict = [
    ...(isCovered || is.coverage === undefined ? [] : [`coverage ${covered}${is.coverage.percent} %`]),
    ...(added.length > 0 ? [noticed] : []),
  ];
  const rest = added.length - MAX_SURVIVORS;
  return [
    [
      `### Tests of ${code(policy)}: ${verdict.join(', ')}`,
      ...added.slice(0, MAX_SURVIVORS).map(survivorText),
      ...(rest > 0 ? [`… and ${rest} more: \`tollgate test --mutate\` shows them.`] : []),
    ].join('\n\n'),
  ];
}

function survivorsOf({ mutants }) {
  return (mutants?.mutants ?? []).filter(({ state }) => state === 'survived');
}

/** Rules may move. */
function mutantKey({ operator, original, mutated, rule }) {
  return JSON.stringify([operator, original, mutated, rule.replace(/^\S+ \d+/, '')]);
}

function survivorText({ change, rule, start, testText }) {
  const where = `line ${start.line}, ${code(rule)}`;
  const what = `- ${code(change)} (${where})`;
  return testText === undefined ? what : `${what}\n\n${fenced(testText)}`;
}

/** Returns text as a block of code inside of a list item, whatever is in it. */
function fenced(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(one => one.length));
  const fence = '`'.repeat(longest + 1);
  const lines = [`${fence}yaml`, ...text.trimEnd().split('\n'), fence];
  return lines.map(line => `  ${line}`).join('\n');
}

function isPolicy(path) {
  return tollgate(['check', '-f', 'json', '--', path]).status === 0;
}

async function comment(body) {
  const url = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues/${pull.number}/comments`;
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${env.GITHUB_TOKEN}` };
  const login = await viewer(headers);
  for (let page = 1; ; page++) {
    const comments = await request(`${url}?per_page=100&page=${page}`, { headers });
    const own = comments.find(one => one.body?.startsWith(MARKER) && isBy(one.user, login));
    if (own || comments.length < 100) {
      const options = { method: own ? 'PATCH' : 'POST', headers, body: JSON.stringify({ body }) };
      await request(own ? own.url : url, options);
      return;
    }
  }
}

/** Returns who comments with the token. Anybody can write the marker. */
async function viewer(headers) {
  const options = { method: 'POST', headers, body: JSON.stringify({ query: '{ viewer { login } }' }) };
  try {
    const response = await fetch(env.GITHUB_GRAPHQL_URL || `${env.GITHUB_API_URL}/graphql`, options);
    const login = response.ok ? (await response.json()).data?.viewer?.login : undefined;
    if (typeof login === 'string') return login;
  } catch {}
  return 'github-actions[bot]';
}

/** GraphQL names an app without the ending that its comments have. */
function isBy(user, login) {
  return user?.login === login || (user?.type === 'Bot' && user.login === `${login}[bot]`);
}

async function request(url, options) {
  const response = await fetch(url, options);
  if (response.ok) return response.json();
  const hint = response.status === 403 ? '; give the job `permissions: pull-requests: write`' : '';
  throw new Error(`cannot comment: GitHub answered ${response.status}${hint}`);
}

function plan() {
  if (isFork) {
    command('notice', 'This pull request comes from a fork, which gets no secrets: nothing is planned.');
    return 0;
  }
  const { status, stdout } = tollgate(['plan', env.TOLLGATE_ENVIRONMENT, '--format', 'markdown']);
  append(env.GITHUB_STEP_SUMMARY, `${stdout}\n`);
  process.stdout.write(guarded(stdout));
  return status;
}

function apply() {
  if (pull) throw new Error('pull requests are not published');
  const { status, stdout } = tollgate(['apply', env.TOLLGATE_ENVIRONMENT, '--yes', '--format', 'markdown']);
  append(env.GITHUB_STEP_SUMMARY, `# Publishing to \`${env.TOLLGATE_ENVIRONMENT}\`\n\n${stdout}\n`);
  process.stdout.write(guarded(stdout));
  return status;
}

/** Code of the repository runs only if the workflow says so, and never for a fork. */
function tollgate(args, stdio = 'pipe', cwd = undefined) {
  const [program, ...words] = env.TOLLGATE_COMMAND ? JSON.parse(env.TOLLGATE_COMMAND) : installedTollgate();
  const trust = isFork || env.TOLLGATE_ALLOW_CODE !== 'true' ? '--no-trust' : '--trust';
  const { error, status, stdout, stderr } = spawnSync(program, [...words, trust, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', stdio, stdio],
    cwd,
    // Only this script comments.
    env: { ...env, GITHUB_TOKEN: '' },
  });
  if (error) throw error;
  if ((args[0] === 'plan' || args[0] === 'apply') && stderr !== '') process.stdout.write(guarded(stderr));
  if (args[0] === 'test') process.stdout.write(stdout);
  return { status: status ?? 70, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Where a folder of the search path has the program of the package, next to npm's shims for shells, which need a shell. */
const PACKAGE_FILES = ['node_modules/@tollgate/cli/bin/tollgate.js', '../@tollgate/cli/bin/tollgate.js'];

/** Returns the command that is installed. A checkout may contain another one, or a shim for a shell. */
function installedTollgate() {
  for (const folder of searchPath()) {
    const script = PACKAGE_FILES.map(file => join(folder, file)).find(existsSync);
    if (script) return [process.execPath, script];
    const program = join(folder, process.platform === 'win32' ? 'tollgate.exe' : 'tollgate');
    if (existsSync(program)) return [program];
  }
  throw new Error('`tollgate` is not installed outside of the checkout; set the input `version`');
}

/** Windows would look for programs in the working directory first, which is the checkout. */
function installedGit() {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const program = searchPath()
    .map(folder => join(folder, name))
    .find(existsSync);
  if (program) return program;
  throw new Error('Git is not installed');
}

/** Returns the folders in which programs are looked for, without those of the checkout. */
function searchPath() {
  const checkout = realpathSync(process.cwd());
  return (env.PATH ?? '').split(delimiter).filter(folder => {
    if (!isAbsolute(folder) || !existsSync(folder)) return false;
    const way = relative(checkout, realpathSync(folder));
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  });
}

/** Nothing that the repository configures for Git runs. */
function git(...args) {
  return gitWith({}, ...args);
}

function gitWith(variables, ...args) {
  const safe = ['--no-pager', '--literal-pathspecs', '-c', 'core.fsmonitor=', '-c', `core.hooksPath=${devNull}`];
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...env, GIT_ALLOW_PROTOCOL: 'none', ...variables } };
  const { status, stdout, stderr } = spawnSync(installedGit(), [...safe, ...args], options);
  if (status === 0) return stdout;
  throw new Error(`\`git ${args[0]}\` failed: ${stderr.trim()}; check out with \`fetch-depth: 0\``);
}

function paths() {
  return ['--', ...(env.TOLLGATE_PATHS || '.').split(/\s+/).filter(Boolean)];
}

function at(name) {
  return join(folder, name);
}

/** The name is a stranger's, and other systems read more into it. */
function write(name, text) {
  const path = at(`old-${basename(name).replace(/[^\w.-]/g, '_')}`);
  writeFileSync(path, text);
  return path;
}

function output(name, value) {
  append(env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

function append(path, text) {
  if (path) appendFileSync(path, text);
}

function showText(name, title) {
  if (!existsSync(at(name))) return;
  console.log(`::group::${title}\n${guarded(readFileSync(at(name), 'utf8'))}::endgroup::`);
}

/** Text from the repository must not be read as commands to the runner. */
function guarded(text) {
  const token = `tollgate-${crypto.randomUUID()}`;
  return `::stop-commands::${token}\n${text.trimEnd()}\n::${token}::\n`;
}

/** Returns text of the repository as code in Markdown: each character that could mean something is a reference. */
function code(text) {
  const escaped = text.replace(/[^\p{L}\p{N}./ -]/gu, one => `&#${one.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}

function command(name, message) {
  console.log(`::${name}::${message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`);
}

function shortened(text) {
  return text.length <= MAX_COMMENT ? text : `${text.slice(0, MAX_COMMENT)}\n\n… (shortened)\n`;
}
