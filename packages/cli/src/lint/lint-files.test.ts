import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINT_RULES } from '@tollgate/lint';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LintDirectory } from '../fixtures/lint-directory.ts';

const BOTS = (more = '') => `inbound:
  - name: no bots
    expressions:
      - "'GPTBot' in req.Headers['User-Agent']"${more}
    actions: [{ type: deny }]
`;
const EMPTY = `inbound:
  - name: all
    actions: [{ type: deny }]
outbound: []
`;
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

const ONLY = `lint:
  extends: []
  rules: { type/in-on-header-list: on, doc/empty-phase: warning }
`;

describe('tollgate lint', () => {
  it.each<[string, string[], string[], number]>([
    ['the severity of the settings', [], ['type/in-on-header-list warning'], 0],
    ['what fails', ['--fail-on', 'warning'], ['type/in-on-header-list warning'], 1],
    ['how many warnings are too many', ['--max-warnings', '0'], ['type/in-on-header-list warning'], 1],
    ['how many are not', ['--max-warnings', '1'], ['type/in-on-header-list warning'], 0],
    [
      'a lint rule by the command line',
      ['--rule', 'type/in-on-header-list=error'],
      ['type/in-on-header-list error'],
      1,
    ],
    ['one that is off', ['--rule', 'type/*=off'], [], 0],
    [
      'a preset by the command line',
      ['--preset', 'recommended', '--rule', 'logic/*=off'],
      ['type/in-on-header-list warning'],
      0,
    ],
  ])('respects %s', async (_, options, codes, code) => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS() });
    const result = await lint(['a.yaml'], options);
    expect([result.codes?.filter((code: string) => code.startsWith('type/in-on')), result.code]).toEqual([codes, code]);
  });

  it.each([
    [
      ['--rule', 'type/in-on-header-lst=off'],
      '`--rule type/in-on-header-lst`: unknown lint rule `type/in-on-header-lst`; did you mean `type/in-on-header-list`?',
    ],
    [['--rule', 'type/in-on-header-list'], '`--rule` expects `ID=SEVERITY`, found `type/in-on-header-list`'],
    [['--rule', 'type/in-on-header-list=bad'], 'expected one of `error`, `warning`'],
    [['--fail-on', 'never'], '`--fail-on` expects `error`, `warning`, `info` or `hint`, found `never`'],
    [
      ['--preset', 'best'],
      '`--preset` expects `recommended`, `security`, `strict`, `style` or `all`, found `best`\nsee',
    ],
    [['--max-warnings', 'few'], 'expected a non-negative integer'],
  ])('rejects %j', async (options, message) => {
    write({ 'a.yaml': EMPTY });
    const { code, err } = await lint(['a.yaml'], options);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('applies settings to some files, and ignores others', async () => {
    const lintSection = `${ONLY}  overrides: [{ files: ['old/**'], rules: { type/in-on-header-list: 'off' } }]\n  ignore: [made/*]\n`;
    write({ 'tollgate.yaml': lintSection, 'a.yaml': BOTS(), 'old/b.yaml': BOTS(), 'made/c.yaml': BOTS() });
    const { report } = await lint(['.']);
    expect(report.files).toEqual(['a.yaml', 'old/b.yaml']);
    expect(report.diagnostics.map((diagnostic: { uri: string }) => diagnostic.uri)).toEqual(['a.yaml']);
    const all = await lint(['made'], ['--no-ignore']);
    expect(all.codes).toEqual(['type/in-on-header-list warning']);
  });

  it('reports errors in the settings, and lints nothing', async () => {
    write({ 'tollgate.yaml': 'lint: {rules: {type/in-on-headers-list: off}}', 'a.yaml': BOTS() });
    const { code, codes } = await lint(['a.yaml']);
    expect([code, codes]).toEqual([1, ['settings/unknown-name error']]);
  });

  it('respects suppressions, unless told not to', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS(' # tollgate-ignore type/in-on-header-list -- sure') });
    expect((await lint(['a.yaml'])).codes).toEqual([]);
    expect((await lint(['a.yaml'], ['--no-suppressions'])).codes).toEqual(['type/in-on-header-list warning']);
  });

  it('fixes files, and reports the remaining findings', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': EMPTY, 'b.yaml': BOTS() });
    const { codes } = await lint(['a.yaml', 'b.yaml'], ['--fix']);
    expect(codes).toEqual(['type/in-on-header-list warning']);
    expect([read('a.yaml'), read('b.yaml')]).toEqual([EMPTY.replace('outbound: []\n', ''), BOTS()]);
  });

  it('shows what fixes would change', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': EMPTY });
    const { before, codes } = await lint(['a.yaml'], ['--diff']);
    expect(before).toContain('\n-outbound: []\n');
    expect([read('a.yaml'), codes]).toEqual([EMPTY, ['doc/empty-phase warning']]);
  });

  it('applies unsafe fixes on request, and shows their effect', async () => {
    const policy = (method: string) =>
      `inbound: [{name: a, expressions: ["req.Method == '${method}'"], actions: [{type: deny, config: {status_code: 403}}]}]\n`;
    write({ 'tollgate.yaml': 'lint: {extends: [], rules: {http/method-case: on}}', 'a.yaml': policy('post') });
    expect((await lint(['a.yaml'], ['--fix'])).err).toBe('');
    expect(read('a.yaml')).toBe(policy('post'));
    const { err, codes } = await lint(['a.yaml'], ['--unsafe-fixes']);
    expect([read('a.yaml'), codes]).toEqual([policy('POST'), []]);
    expect(err).toMatch(
      /^~\/a\.yaml: the fixes change the decision on \d+ of 600 made-up exchanges\n {2}POST https:\/\/example\.com\/: passed, now denied 403\n/,
    );
  });

  it('uses the given name for standard input, for settings too', async () => {
    write({ 'tollgate.yaml': `${ONLY}  ignore: [made/*]\n` });
    const stdin = (name: string) => lint(['-'], ['--stdin-filename', join(directory, name)], BOTS());
    expect((await stdin('a.yaml')).codes).toEqual(['type/in-on-header-list warning']);
    expect((await stdin('made/a.yaml')).codes).toEqual([]);
  });
});

describe('a quiet run', () => {
  const LOUD = `export const LOUD = {
    id: 'team/loud', severity: 'warning', summary: 'a rule', rationale: 'Any.', cost: 'fast', fixable: 'no', presets: [],
    bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' },
    check: { rule: (rule, _, context) => {
      globalThis.loud = (globalThis.loud ?? 0) + 1;
      context.report({ range: rule.range, message: 'a rule', severity: 'error' });
    } },
  };`;
  const OWN_ERROR = `on_http_request:
  - name: all the same
    actions: [{ type: remove-headers, config: { headers: [user-agent, content-length] } }]
`;

  it.each<[string, string[], string[], number]>([
    ['shows what fails, of lint rules too that seldom find such', [], ['header/reserved error'], 1],
    [
      'shows more where more fails',
      ['--fail-on', 'warning'],
      ['header/reserved error', 'header/reserved warning', 'type/in-on-header-list warning'],
      1,
    ],
    ['hides lint rules whose configured severity is lower', ['--rule', 'header/*=warning'], [], 0],
    ['counts warnings all the same', ['--max-warnings', '1'], ['header/reserved error'], 1],
  ])('%s', async (_, options, codes, code) => {
    write({
      'tollgate.yaml': `${ONLY.replace('}', ', header/reserved: on }')}`,
      'a.yaml': BOTS(),
      'b.yaml': OWN_ERROR,
    });
    const result = await lint(['a.yaml', 'b.yaml'], ['--quiet', ...options]);
    expect([result.codes.toSorted(), result.code]).toEqual([codes, code]);
  });

  it('fails if there are too many warnings', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS() });
    const { code, codes, err } = await lint(['a.yaml'], ['--quiet', '--max-warnings', '0']);
    expect([code, codes, err]).toEqual([1, [], 'tollgate: found 1 warnings, but `--max-warnings` allows 0\n']);
  });

  it('reports unused suppressions if they fail', async () => {
    const policy = BOTS(' # tollgate-ignore type/in-on-header-list, doc/empty-phase -- sure');
    write({ 'tollgate.yaml': ONLY, 'a.yaml': policy });
    const { codes, report } = await lint(['a.yaml'], ['--quiet', '--rule', 'meta/unused-ignore=error']);
    expect(codes).toEqual(['meta/unused-ignore error']);
    expect(report.diagnostics[0]?.message).toContain('`doc/empty-phase`');
  });

  it('fixes findings that it does not show', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': EMPTY });
    await lint(['a.yaml'], ['--quiet', '--fix']);
    expect(read('a.yaml')).toBe(EMPTY.replace('outbound: []\n', ''));
  });

  it('runs only lint rules whose findings can be reported', async () => {
    write({ 'tollgate.yaml': 'lint: {extends: [], load: [./loud.mjs]}', 'loud.mjs': LOUD, 'a.yaml': EMPTY });
    const runs = async (...options: string[]) => {
      Reflect.set(globalThis, 'loud', 0);
      const { codes } = await lint(['a.yaml'], ['--quiet', ...options]);
      return [Reflect.get(globalThis, 'loud'), codes];
    };
    // The severities of built-in lint rules are known in advance.
    expect(await runs()).toEqual([1, ['team/loud error']]);
    expect(await runs('--rule', 'team/loud=warning')).toEqual([0, []]);
    expect(await runs('--rule', 'team/loud=warning', '--max-warnings', '5')).toEqual([1, []]);
  });
});

describe('lint rules that compare files', () => {
  it('see all files of a run, including those from the cache', async () => {
    write({ 'a.yaml': EMPTY, 'b.yaml': EMPTY, 'c.yaml': BOTS() });
    write({ 'tollgate.yaml': 'lint: {extends: [], rules: {doc/copied-policy: warning}}' });
    const cache = ['--cache', '--cache-file', join(directory, '.kept.json')];
    const fresh = await lint(['.'], cache);
    expect(
      fresh.report.diagnostics.map((diagnostic: { uri: string; code: string }) => [diagnostic.uri, diagnostic.code]),
    ).toEqual([['b.yaml', 'doc/copied-policy']]);
    expect((await lint(['.'], cache)).report.diagnostics).toEqual(fresh.report.diagnostics);
  });
});

describe('the cache', () => {
  it('keeps findings for exactly the same source and settings', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS(), 'b.yaml': EMPTY });
    const cache = ['--cache', '--cache-file', join(directory, 'kept.json')];
    const fresh = await lint(['a.yaml', 'b.yaml'], cache);
    const kept = JSON.parse(read('kept.json'));
    expect(Object.keys(kept.entries).map(path => path.slice(directory.length))).toEqual(['/a.yaml', '/b.yaml']);
    // A marker in the cached findings shows that they are used.
    writeFileSync(join(directory, 'kept.json'), JSON.stringify(kept).replaceAll('doc/empty-phase', 'doc/kept'));
    expect((await lint(['a.yaml', 'b.yaml'], cache)).codes).toEqual([
      'type/in-on-header-list warning',
      'doc/kept warning',
    ]);
    expect((await lint(['b.yaml'], [...cache, '--rule', 'doc/empty-phase=error'])).codes).toEqual([
      'doc/empty-phase error',
    ]);
    write({ 'b.yaml': `${EMPTY}# changed\n` });
    expect((await lint(['a.yaml', 'b.yaml'], cache)).codes).toEqual(fresh.codes);
  });

  it('is replaced if it cannot be read', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS(), 'kept.json': 'no JSON' });
    const cache = ['--cache', '--cache-file', join(directory, 'kept.json')];
    expect((await lint(['a.yaml'], cache)).codes).toEqual(['type/in-on-header-list warning']);
    expect(JSON.parse(read('kept.json')).version).toBe('0.1.0');
  });
});

describe('a baseline', () => {
  it('hides findings that existed when it was written, wherever they moved, and no new ones', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS() });
    const baseline = ['--baseline', join(directory, 'known.json')];
    expect((await lint(['a.yaml'], [...baseline, '--write-baseline'])).codes).toEqual([]);
    write({ 'a.yaml': `# A line before\n\n${BOTS()}outbound: []\n` });
    expect((await lint(['a.yaml'], baseline)).codes).toEqual(['doc/empty-phase warning']);
    expect((await lint(['a.yaml'])).codes).toEqual(['type/in-on-header-list warning', 'doc/empty-phase warning']);
  });

  it('drops fixed findings when pruned, but none of files that were not linted', async () => {
    write({ 'tollgate.yaml': ONLY, 'a.yaml': BOTS(), 'b.yaml': EMPTY });
    const baseline = ['--baseline', join(directory, 'known.json')];
    await lint(['a.yaml', 'b.yaml'], [...baseline, '--write-baseline']);
    const known = () =>
      JSON.parse(read('known.json')).findings.map(({ file, code }: { file: string; code: string }) => ({ file, code }));
    expect(known()).toEqual([
      { file: 'a.yaml', code: 'type/in-on-header-list' },
      { file: 'b.yaml', code: 'doc/empty-phase' },
    ]);
    write({ 'b.yaml': EMPTY.replace('outbound: []\n', '') });
    await lint(['a.yaml'], [...baseline, '--prune-baseline']);
    expect(known()).toHaveLength(2);
    await lint(['b.yaml'], [...baseline, '--prune-baseline']);
    expect(known()).toEqual([{ file: 'a.yaml', code: 'type/in-on-header-list' }]);
  });

  it('is reported if it cannot be read', async () => {
    write({ 'a.yaml': EMPTY, 'known.json': '[]' });
    const { code, err } = await lint(['a.yaml'], ['--baseline', join(directory, 'known.json')]);
    expect([code, err]).toEqual([3, 'tollgate: cannot read the baseline `~/known.json`: it has no `findings`\n']);
  });
});

describe('modules with lint rules', () => {
  const RULE = `export const NO_LOG = {
    id: 'team/no-log', severity: 'warning', summary: 'a log', rationale: 'We do not log.', cost: 'fast', fixable: 'no', presets: [],
    bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' },
    check: { action: (action, place, context) => {
      if (action.type.value === 'log') context.report({ range: action.type.range, message: 'do not log' });
    } },
  };`;
  const LOG = 'inbound: [{name: a, actions: [{type: log}]}]';

  it('are loaded, run and configured like others', async () => {
    write({ 'tollgate.yaml': 'lint: {extends: [], load: [./mine.ts]}', 'mine.ts': RULE, 'a.yaml': LOG });
    expect((await lint(['a.yaml'])).codes).toEqual(['team/no-log warning']);
    expect((await lint(['a.yaml'], ['--rule', 'team/no-log=error'])).codes).toEqual(['team/no-log error']);
  });

  it('leave their files unchanged if one of their safe fixes changes decisions; other files are fixed', async () => {
    const fix = `fixes: [{ title: 'deny', applicability: 'safe', edits: [{ range: action.type.range, newText: 'deny' }] }], message: 'do not log'`;
    const fixing = RULE.replace("fixable: 'no'", "fixable: 'safe'").replace("message: 'do not log'", fix);
    write({
      'tollgate.yaml': 'lint: {extends: [], load: [./fixing.mjs], rules: { doc/empty-phase: warning }}',
      ...{ 'fixing.mjs': fixing, 'a.yaml': LOG, 'b.yaml': EMPTY },
    });
    const { code, err } = await lint(['a.yaml', 'b.yaml'], ['--fix']);
    expect([code, err]).toEqual([
      70,
      expect.stringMatching(
        /^tollgate: internal error: the safe fixes of `team\/no-log` would change decisions \(GET .*\); `~\/a.yaml` was not changed, please report this\n$/,
      ),
    ]);
    expect([read('a.yaml'), read('b.yaml')]).toEqual([LOG, EMPTY.replace('outbound: []\n', '')]);
  });

  it.each([
    ['export const A = 5;', 'expected a map, found `5`'],
    [RULE.replace("id: 'team/no-log'", "id: 'log'"), '`id`: expected `category/name`, found `log`'],
    [RULE.replace('action:', 'actoin:'), '`check`: unknown visitor function `actoin`; expected one of file, policy'],
    [RULE.replace("'team/no-log'", "'doc/empty-phase'"), 'duplicate lint rule `doc/empty-phase`'],
    ['', 'exports no lint rule'],
    ['throw new Error("no");', 'cannot load'],
  ])('are rejected if they are invalid: %s', async (module, message) => {
    const name = `${Math.abs([...module].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) | 0, 7))}.mjs`;
    write({ 'tollgate.yaml': `lint: {load: [./${name}]}`, [name]: module, 'a.yaml': LOG });
    const { code, err } = await lint(['a.yaml']);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });
});

describe('a lint rule that fails', () => {
  const ruleOf = (id: string, check: string) => `export const ${id.toUpperCase()} = {
    id: 'team/${id}', severity: 'warning', summary: 'x', rationale: 'x', cost: 'fast', fixable: 'no', presets: [],
    bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' }, check: { ${check} },
  };\n`;
  const THROWS = ruleOf('throws', "policy: () => { throw new TypeError('boom'); }");
  const ENDLESS = ruleOf('endless', 'rule: () => { for (;;); }');
  const FINE = ruleOf('fine', "rule: (rule, _, context) => context.report({ range: rule.range, message: 'a rule' })");
  const RULES = {
    'tollgate.yaml': 'lint: {extends: [], load: [./failing.mjs]}',
    'failing.mjs': THROWS + ENDLESS + FINE,
  };
  const messages = (report: { readonly diagnostics: readonly { readonly uri: string; readonly message: string }[] }) =>
    report.diagnostics.map(({ uri, message }) => `${uri}: ${message}`);

  it('does not stop other lint rules, and is interrupted if it does not return', async () => {
    write({ ...RULES, 'a.yaml': BOTS(), 'b.yaml': BOTS() });
    const { report, code, err } = await lint(['a.yaml', 'b.yaml'], ['--rule-timeout', '1']);
    expect(messages(report)).toEqual([
      'a.yaml: lint rule `team/throws` failed: TypeError: boom; fix it or turn it off',
      'a.yaml: lint rule `team/endless` did not finish; fix it or turn it off',
      'a.yaml: a rule',
      'b.yaml: lint rule `team/throws` failed: TypeError: boom; fix it or turn it off',
      'b.yaml: a rule',
    ]);
    expect([code, err]).toEqual([1, '']);
  });

  it('is interrupted while its module loads, too', async () => {
    write({ ...RULES, 'failing.mjs': `${FINE}for (;;);\n`, 'a.yaml': BOTS() });
    const { code, err } = await lint(['a.yaml'], ['--rule-timeout', '1']);
    expect(code).toBe(3);
    expect(err).toContain('failing.mjs`: the module did not finish loading in time, and was stopped');
  });

  it.each(['await new Promise(() => {});', 'await 0;\nfor (;;);'])('cannot load with `%s`', async code => {
    write({ ...RULES, 'failing.mjs': `${FINE}${code}\n`, 'a.yaml': BOTS() });
    const found = await lint(['a.yaml']);
    expect(found.code).toBe(3);
    expect(found.err).toContain('failing.mjs`: the module uses top-level `await`, which cannot be stopped');
  });

  it('runs again the next time, despite the cache', async () => {
    write({ ...RULES, 'failing.mjs': `${THROWS}${FINE}`, 'a.yaml': BOTS() });
    const cache = ['--cache', '--cache-file', join(directory, 'kept.json')];
    const fresh = await lint(['a.yaml'], cache);
    expect(fresh.codes).toEqual(['lint/rule-failed error', 'team/fine warning']);
    expect(Object.keys(JSON.parse(read('kept.json')).entries)).toEqual([]);
    expect((await lint(['a.yaml'], cache)).codes).toEqual(fresh.codes);
  });

  it('is an internal error if it is built in: exit code 70, with all other findings reported', async () => {
    const { check } = LINT_RULES.find(rule => rule.id === 'doc/empty-phase')!;
    const { policy } = check;
    const broken = () => {
      throw new TypeError('boom');
    };
    // No known input makes a built-in lint rule fail.
    Object.assign(check, { policy: broken });
    write({ 'tollgate.yaml': ONLY, 'a.yaml': `${BOTS()}outbound: []\n` });
    const { codes, code, err } = await lint(['a.yaml']).finally(() => Object.assign(check, { policy }));
    expect([codes, code]).toEqual([['lint/internal-error error', 'type/in-on-header-list warning'], 70]);
    expect(err).toMatch(/^tollgate: internal error; please report it\nTypeError: boom\n {4}at /);
  });
});
