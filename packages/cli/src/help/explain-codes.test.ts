import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODERN } from '@tollgate/catalog';
import { exampleFindings, pageIn } from '@tollgate/reports';
import { describe, expect, inject, it } from 'vitest';
import { CODE_PAGES } from '../output/code-table.ts';
import { runCaptured } from '../run-captured.ts';

async function explain(args: readonly string[], isInteractive = false) {
  const {
    code,
    output: out,
    errors: err,
  } = await runCaptured(['explain', ...args], {
    isInteractive,
    columns: isInteractive ? 60 : undefined,
    env: { TOLLGATE_TRUST: '1' },
  });
  return { code, out, err };
}

/** One line for each code of the area `name`. */
const NAMES = new RegExp(
  `^${CODE_PAGES.filter(({ code }) => code.startsWith('name/'))
    .map(({ code }) => `${code} .*\\n`)
    .join('')}$`,
);

const OWN_RULE = `export const NO_LOG = {
  id: 'own/no-log',
  severity: 'warning',
  summary: 'an action that logs',
  rationale: 'Nothing is to be logged here.',
  bad: { policy: 'inbound:\\n  - actions:\\n      - type: «log»\\n' },
  good: { policy: 'inbound:\\n  - actions:\\n      - type: deny\\n' },
  cost: 'fast',
  fixable: 'no',
  presets: [],
  check: {
    action: (action, place, context) => {
      if (action.type.value === 'log')
        context.report({ range: action.type.range, message: 'nothing is to be logged', args: {} });
    },
  },
};
`;

describe('tollgate explain', () => {
  it('shows the page of a code with the findings of its bad example', async () => {
    expect(await explain(['name/undeclared-function'])).toEqual({
      code: 0,
      err: '',
      out: `name/undeclared-function
  undeclared function
  error

  Neither CEL nor the edge has a function or method with this name, so the
  service refuses the policy.

  Correct the name. Functions may be named differently than in other languages:
  \`toLowerCase()\` is \`lowerAscii()\`.

  The service rejects it with:
  \`ERR_NGROK_2200\`: an expression is invalid

Bad (in the profile \`modern\`)

  1 | req.url.path.startWith('/admin')
    |              ^^^^^^^^^

  error: unknown method \`startWith\`; did you mean \`startsWith\`?

Good (in the profile \`modern\`)

  1 | req.url.path.startsWith('/admin')

Suppress

  lint: { rules: { name/undeclared-function: warning } }
    in \`tollgate.yaml\`, lowers it for \`tollgate lint\`
`,
    });
  });

  it('shows how to suppress a lint rule', async () => {
    const { out } = await explain(['doc/empty-phase']);
    expect(out).toContain('lint rule (style), fixed by `--fix`');
    expect(out).toContain('\n  # tollgate-ignore doc/empty-phase -- reason\n');
  });

  it('keeps to the width of the terminal, without counting colours', async () => {
    const { out } = await explain(['name/undeclared-function'], true);
    const plain = out.replaceAll(/\u001b\[[\d;]*m/g, '');
    expect(out).not.toBe(plain);
    expect(Math.max(...plain.split('\n').map(line => line.length))).toBeLessThanOrEqual(60);
  });

  it.each([
    ['undeclared-field', 'name/undeclared-field\n'],
    ['NAME/undeclared-field', 'name/undeclared-field\n'],
    ['regex/invalid', /^config\/bad-pattern .*\nregex\/invalid-pattern .*\n$/],
    ['name', NAMES],
    ['name/*', NAMES],
    ['wrong-type', /^config\/wrong-type .*\npolicy\/wrong-type .*\n$/],
  ])('completes a partial code: %s', async (word, expected) => {
    const { code, out } = await explain([word]);
    expect(code).toBe(0);
    if (typeof expected === 'string') expect(out.startsWith(expected)).toBe(true);
    else expect(out).toMatch(expected);
  });

  it('wraps the summaries of a list on a terminal', async () => {
    const { out } = await explain(['expression', 'traffic'], true);
    const plain = out.replaceAll(/\u001b\[[\d;]*m/g, '');
    expect(plain).toMatch(/^expression\/unclosed-interpolation +unterminated `\$\{…\}` in a\n {20,}string$/m);
    expect(Math.max(...plain.split('\n').map(line => line.length))).toBeLessThanOrEqual(60);
  });

  it('lists all codes without an argument', async () => {
    const { out } = await explain([]);
    expect(out.split('\n').length).toBeGreaterThan(200);
    expect(out).toMatch(/^yaml\/unknown-tag +expression that YAML reads as a tag$/m);
  });

  it.each([
    ['name/undeclared-fild', 'did you mean `name/undeclared-field`?'],
    ['xyzzy', 'run `tollgate explain` to list all codes'],
  ])('rejects unknown codes: %s', async (word, hint) => {
    expect(await explain([word])).toEqual({
      code: 2,
      out: '',
      err: `tollgate: unknown code \`${word}\`; ${hint}\n`,
    });
  });

  it('explains custom lint rules', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
    const before = process.cwd();
    try {
      writeFileSync(join(directory, 'tollgate.yaml'), 'lint: { load: [./own.mjs] }\n');
      writeFileSync(join(directory, 'own.mjs'), OWN_RULE);
      process.chdir(directory);
      const { code, out } = await explain(['own/no-log']);
      expect(code).toBe(0);
      expect(out).toMatch(/^own\/no-log\n {2}an action that logs\n/);
      expect(out).toContain('\n  warning: nothing is to be logged\n');
    } finally {
      process.chdir(before);
      rmSync(directory, { recursive: true });
    }
  });

  it('has the same content as Markdown and as JSON', async () => {
    const markdown = await explain(['--format', 'markdown', 'name/undeclared-field']);
    expect(markdown.out).toMatch(/^## name\/undeclared-field\n/);
    const [page] = JSON.parse((await explain(['--format', 'json', 'doc/empty-phase'])).out);
    expect(page).toMatchObject({
      code: 'doc/empty-phase',
      severity: 'info',
      rule: { fixable: 'safe', presets: ['style'] },
    });
    expect(page.rule.check).toBeUndefined();
  });
});

/** Pages about a profile, about whole edges or about what only the older one has. */
const OF_ANOTHER_PROFILE = 24;

describe('examples', () => {
  const older = CODE_PAGES.filter(({ bad, good }) =>
    [bad, good].some(
      one =>
        one !== undefined &&
        one.profile !== 'modern' &&
        (one.kind === 'expression' || /inbound|outbound/.test(one.text)),
    ),
  ).filter(({ bad, good }) => [bad, good].some(one => one?.kind === 'policy' || one?.kind === 'expression'));
  const asked = inject('isDeep') ? older : older.filter((_, index) => index % 8 === 0);

  it('are shown in the profile in use, with the same finding', () => {
    const pages = asked.map(page => pageIn(page, MODERN));
    const left = pages.filter((page, index) => page === asked[index]);
    expect(left.length).toBeLessThanOrEqual(OF_ANOTHER_PROFILE);
    expect(pages.length - left.length).toBeGreaterThan(asked.length * 0.8);
    for (const page of pages) {
      if (left.includes(page) || !page.bad) continue;
      expect([page.code, exampleFindings(page.bad, page).some(({ code }) => code === page.code)]).toEqual([
        page.code,
        true,
      ]);
      expect(page.bad.text).not.toMatch(/inbound:|req\.[A-Z]/);
    }
  });

  it('name no older variable by default', async () => {
    const { out } = await explain(['name/undeclared-field']);
    expect(out).toContain("1 | req.metod == 'GET'");
    expect(out).toContain("1 | req.method == 'GET'");
  });
});
