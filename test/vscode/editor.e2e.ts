import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildExtension } from '../../scripts/build-vscode.ts';
import { CodeServer } from './support/code-server.ts';
import { Workbench } from './support/workbench.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-vscode-'));
const folder = join(home, 'shop');
/** What code of the workspace leaves behind when it runs. */
const ran = join(home, 'ran');

const BROKEN = `inbound:
  - name: no writes
    expressions:
      - req.Metod == 'PUT' && conn.ClientIP != '192.0.2.1'
    actions:
    -   type: deny
        config: { status_code: 403 }
`;
const FAILING = `policy: bookshop.yaml
tests:
  - name: the back office is open
    request: { url: /admin/, headers: { User-Agent: Firefox } }
    connection: { client_ip: 192.0.2.1 }
    expect: { outcome: passed }
  - name: books are read
    request: { url: /books/tides.html, headers: { User-Agent: Firefox } }
    expect: { outcome: passed }
`;
const UNFINISHED = `policy: bookshop.yaml
invariants:
  - name: scanners stay out
    never: req.Path == '/.git' && decision.
`;
const FILES: Readonly<Record<string, string>> = {
  'broken.yaml': BROKEN,
  'bookshop.invariants.yaml': UNFINISHED,
  'services.yaml': 'services:\n  web: { image: nginx }\n',
  'shop.test.yaml': FAILING,
  'tollgate.yaml': 'env: [own.mjs]\n',
  'own.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(ran)}, '');
export default { variables: [{ path: 'req.Tenant', type: 'string' }] };
`,
};

let server: CodeServer;
let bench: Workbench;

beforeAll(async () => {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  cpSync('examples/policies/bookshop.yaml', join(folder, 'bookshop.yaml'));
  cpSync('examples/traffic/access.log', join(folder, 'access.log'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  const vsix = process.env.TOLLGATE_VSIX ?? join(home, 'tollgate.vsix');
  if (!existsSync(vsix)) await buildExtension(vsix);
  server = await CodeServer.start(home, vsix, { 'files.autoSave': 'off' });
});

afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The part of the DOM that is used in the page; the project's types are those of Node. */
interface Shown {
  readonly ownerDocument: { readonly defaultView: { getComputedStyle(one: Shown): { readonly color: string } } };
}

const colourOf = (one: Shown) => one.ownerDocument.defaultView.getComputedStyle(one).color;

const contentOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const untilSaved = (name: string, part: string) =>
  bench.until(
    `${name} is saved`,
    () => contentOf(name),
    content => content.includes(part),
  );

describe('in a trusted workspace', () => {
  beforeAll(async () => {
    bench = await Workbench.open(server, folder, true);
  });
  afterAll(() => bench.close());
  let step = 0;
  afterEach(async ({ task }) => {
    step += 1;
    const failed = task.result?.state === 'fail' ? '-failed' : '';
    await bench.picture(`${String(step).padStart(2, '0')}-${task.name.replaceAll(/\W+/g, '-')}${failed}`);
  });

  it('leaves other YAML alone', async () => {
    await bench.openFile('services.yaml');
    await bench.page.getByRole('button', { name: 'YAML', exact: true }).waitFor();
    expect(await bench.status.count()).toBe(0);
  });

  it('recognizes a policy and shows its findings', async () => {
    await bench.openFile('broken.yaml');
    await bench.page.locator('.squiggly-error').first().waitFor();
    await bench.page.getByRole('button', { name: 'Traffic Policy', exact: true }).waitFor();
    await bench.until(
      'the status bar counts one finding',
      () => bench.status.textContent(),
      one => /edge-v2.*1/.test(one ?? ''),
    );
    expect(existsSync(ran)).toBe(true);
  });

  it('explains what is under the mouse', async () => {
    await bench.editor.getByText('ClientIP', { exact: true }).hover();
    const hover = bench.page.locator('.monaco-hover:not(.hidden)').filter({ hasText: 'conn.ClientIP' }).first();
    await hover.waitFor();
    expect(await hover.textContent()).toContain('string');
  });

  it('fixes a finding', async () => {
    await bench.goTo(4, 14);
    await bench.page.keyboard.press('Control+.');
    await bench.page
      .getByText(/replace .*Method|Method/i)
      .first()
      .waitFor();
    await bench.picture('fixes');
    await bench.page.keyboard.press('Enter');
    await bench.untilLine('the fix is applied', line => line.includes('req.Method'));
    await bench.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  });

  it('completes inside an expression while you type', async () => {
    await bench.goTo(4, 9);
    await bench.page.keyboard.press('End');
    await bench.page.keyboard.type(' && req.');
    const list = bench.page.locator('.suggest-widget.visible');
    await list.getByText('Path', { exact: true }).first().waitFor();
    await bench.picture('completion');
    await bench.page.keyboard.type('Pat');
    await bench.page.keyboard.press('Tab');
    await bench.untilLine('the suggestion is inserted', line => line.endsWith('req.Path'));
    await bench.page.keyboard.type(".startsWith('/a')");
    await bench.untilLine('typed characters appear', line => line.endsWith("req.Path.startsWith('/a')"));
    await bench.page.keyboard.press('Escape');
  });

  it('formats the document', async () => {
    await bench.run('Format Document');
    await bench.untilLine('the action is indented', line => line.includes('      - type: deny'));
    await bench.page.keyboard.press('Control+S');
    await untilSaved('broken.yaml', '      - type: deny\n');
  });

  it('colours expressions, shows types and folds rules', async () => {
    await bench.openFile('bookshop.yaml');
    const editor = bench.editor;
    await editor.getByText(': string').first().waitFor();
    await editor.locator('.codelens-decoration').first().waitFor();
    const colour = (text: string) => editor.getByText(text, { exact: true }).first().evaluate(colourOf);
    const samples = ['matches', 'agent', "'(?i)(gptbot|claudebot|ccbot)'"];
    // Highlighting follows the text.
    const coloursOf = async () => Promise.all(samples.map(colour));
    const areDistinct = (colours: readonly string[]) => new Set(colours).size === samples.length;
    await bench.until(`${samples.join(', ')} differ in colour`, coloursOf, areDistinct);
    await bench.goTo(4, 1);
    await bench.page.keyboard.press('Control+Shift+BracketLeft');
    await bench.until(
      'the rule is folded',
      () => bench.lines(),
      all => !all.some(line => line.includes('gptbot')),
    );
    expect((await bench.lines()).some(line => line.includes('name: no training'))).toBe(true);
    await bench.picture('folded');
    await bench.page.keyboard.press('Control+Shift+BracketRight');
    await bench.untilLine('the rule is unfolded', line => line.includes('gptbot'));
  });

  it('renames a rule', async () => {
    await bench.goTo(13, 14);
    await bench.page.keyboard.press('F2');
    const box = bench.page.locator('.rename-box input, .rename-input').first();
    await box.waitFor();
    await box.fill('no probes');
    await bench.page.keyboard.press('Enter');
    await bench.untilLine('the rule has its new name', line => line.includes('name: no probes'));
    await bench.page.keyboard.press('Control+S');
    await untilSaved('bookshop.yaml', 'name: no probes');
  });

  it('traces a rule on a described request', async () => {
    await bench.goTo(29, 10);
    await bench.run('Tollgate: Trace This Rule on a Request');
    await bench.choose('Describe a request');
    await bench.answer('--client-ip 192.0.2.1 https://books.example/admin/');
    await bench.results.getByText('answered with 404 by custom-response').first().waitFor();
    await bench.results.getByText('"/admin/"').first().waitFor();
  });

  it('traces on a command for curl that is pasted into the list', async () => {
    await bench.run('Tollgate: Trace This Rule on a Request');
    // The input of the palette is still there when that of the list opens.
    await bench.page.locator('.quick-input-list').getByText('Take one from a recording').first().waitFor();
    await bench.page.keyboard.insertText("curl 'https://books.example/admin/users' -H 'accept: */*' --compressed");
    await bench.page.locator('.quick-input-list').getByText('trace this request').first().waitFor();
    await bench.picture('pasted');
    await bench.page.keyboard.press('Enter');
    await bench.results.getByText('"/admin/users"').first().waitFor();
  });

  it('opens the rule of a result', async () => {
    await bench.results.getByRole('link', { name: /the back office/ }).click();
    await bench.page.getByText('Ln 27').waitFor();
  });

  it('replays recorded traffic', async () => {
    await bench.run('Tollgate: Replay on Recorded Traffic');
    await bench.choose('access.log');
    await bench.results.getByText('243 exchanges').first().waitFor();
    await bench.results.getByText('12 matched').waitFor();
    await bench.editor.getByText('12 of 243 matched').first().waitFor();
  });

  it('shows the impact of a change against HEAD', async () => {
    await bench.openFile('bookshop.yaml');
    await bench.goTo(35, 15);
    await bench.run('Tollgate: Show the Impact Against HEAD');
    await bench.results.getByText('Both policies decide every well-formed request alike (proved).').waitFor();
    await bench.goTo(34, 26);
    await bench.page.keyboard.press('Backspace');
    await bench.page.keyboard.type('3');
    await bench.untilLine('the status code is another one', line => line.includes('status_code: 434'));
    await bench.run('Tollgate: Show the Impact Against HEAD');
    await bench.results.getByText(/1 difference/).waitFor();
    await bench.results.getByText('answered with 434').waitFor();
    // What the editor shows was compared, and nothing was saved for it.
    expect(contentOf('bookshop.yaml')).not.toContain('434');
  });

  it('shows the impact of a change on recorded traffic', async () => {
    await bench.run('Tollgate: Show the Impact on Recorded Traffic');
    await bench.choose('access.log');
    await bench.results.getByText(/of 243 exchanges change/).waitFor();
    await bench.results.getByText(/answered with 404.*answered with 434/).waitFor();
  });

  it('knows invariants, and the rules that they are about', async () => {
    await bench.openFile('bookshop.invariants.yaml');
    await bench.page.locator('.squiggly-error').first().waitFor();
    await bench.goTo(4, 44);
    await bench.page.keyboard.press('Control+Space');
    await bench.page.locator('.suggest-widget.visible').getByText('reachesUpstream', { exact: true }).first().waitFor();
    await bench.picture('invariants');
    await bench.page.keyboard.press('Escape');
    await bench.goTo(1, 1);
  });

  it('explains a code', async () => {
    await bench.run('Tollgate: Explain a Code');
    await bench.answer('name/undeclared-field');
    await bench.results.getByText('field that the object does not have').waitFor();
  });

  it('runs policy tests, and shows a failure at its place', async () => {
    await bench.openFile('shop.test.yaml');
    await bench.page.getByRole('tab', { name: 'Testing' }).locator('a').click();
    await bench.page
      .getByRole('treeitem', { name: /shop\.test\.yaml/ })
      .first()
      .waitFor();
    await bench.run('Test: Run All Tests');
    await bench.page.getByText('expected the outcome to be `passed`, found `answered`').first().waitFor();
    const file = bench.page.getByRole('treeitem', { name: /shop\.test\.yaml/ }).first();
    await file.click();
    await bench.page.keyboard.press('ArrowRight');
    const item = (name: RegExp) => bench.page.getByRole('treeitem', { name }).first();
    await item(/the back office is open.*Failed/).waitFor();
    await item(/books are read.*Passed/).waitFor();
  });

  it('shows what tests reach of a policy, in the explorer and in the gutter', async () => {
    await bench.run('Test: Run All Tests with Coverage');
    await bench.page.getByText('Test Coverage').first().waitFor();
    await bench.page
      .getByRole('treeitem', { name: /bookshop\.yaml/ })
      .filter({ hasText: '%' })
      .first()
      .waitFor();
    await bench.page.getByRole('tab', { name: 'Explorer' }).locator('a').click();
    await bench.openFile('bookshop.yaml');
    await bench.goTo(27, 14);
    const gutter = bench.page.locator('.coverage-deco-gutter');
    await gutter.first().waitFor();
    const missed = () => bench.page.locator('.coverage-deco-gutter.coverage-deco-miss').count();
    await bench.until('parts that no test reaches are marked', missed, count => count > 0);
    await bench.picture('coverage');
  });

  it('writes the missing tests of a rule', async () => {
    await bench.openFile('bookshop.yaml');
    await bench.goTo(27, 14);
    await bench.run('Refactor...');
    await bench.page.getByText('write the missing tests of this rule').first().click();
    await bench.page.locator('.tab[data-resource-name="shop.test.yaml"][aria-selected="true"]').waitFor();
    await bench.page.keyboard.press('Control+End');
    await bench.untilLine('tests of the rule are there', line => /name: .*the back office/.test(line));
  });
});

describe('in a workspace that is not trusted', () => {
  beforeAll(async () => {
    rmSync(ran, { force: true });
    bench = await Workbench.open(server, folder, false);
  });
  afterAll(() => bench.close());

  it('runs no code of it, and says so', async () => {
    await bench.openFile('bookshop.yaml');
    await bench.status.waitFor();
    await bench.until(
      'the status bar shows the profile',
      () => bench.status.textContent(),
      one => /edge-v2/.test(one ?? ''),
    );
    expect(await bench.status.locator('.codicon-workspace-untrusted').count()).toBe(1);
    await bench.status.hover();
    await bench.page.getByText('Restricted mode').first().waitFor();
    await bench.picture('untrusted');
    await bench.page.keyboard.press('F1');
    await bench.page.keyboard.insertText('Tollgate: ');
    await bench.page.locator('.quick-input-list').getByText('Trace the Policy on a Request').waitFor();
    expect(await bench.page.locator('.quick-input-list').getByText('Show the Impact').count()).toBe(0);
    await bench.page.keyboard.press('Escape');
    await bench.run('Tollgate: Trace the Policy on a Request');
    await bench.choose('https://example.com/');
    await bench.results.getByText('This workspace is not trusted, so its code does not run.').waitFor();
    await bench.picture('untrusted-trace');
    expect(existsSync(ran)).toBe(false);
    await bench.openFile('tollgate.yaml');
    await bench.page.locator('.squiggly-warning').first().waitFor();
    await bench.goTo(1, 9);
    await bench.page.keyboard.press('Control+.');
    await bench.page.getByText('explain why it does not run').first().waitFor();
    await bench.page.keyboard.press('Enter');
    await bench.page.getByText('They run only in workspaces that you trust').first().waitFor();
    await bench.picture('untrusted-module');
    await bench.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await bench.page.getByText('Restricted Mode').first().waitFor();
  });
});
