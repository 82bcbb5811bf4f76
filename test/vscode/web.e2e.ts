// The extension where editors have no processes, as in vscode.dev: VS Code runs its browser entry in the worker for extensions of the web.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildExtension } from '../../scripts/build-vscode.ts';
import { CodeServer } from './support/code-server.ts';
import { Workbench } from './support/workbench.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-vscode-web-'));
const folder = join(home, 'shop');

const FILES: Readonly<Record<string, string>> = {
  'broken.yaml': `on_http_request:
  - name: no writes
    expressions:
      - req.metod == 'PUT' && conn.client_ip.startsWith('10.')
    actions:
    -   type: deny
`,
  'policy.test.yaml': `policy: broken.yaml
tests:
  - name: reads pass
    request: { url: /books, method: GET }
    expect: { rules: { no reads: matched } }
`,
  'tollgate.yaml': 'profile: modern\nenv: [own.mjs]\n',
  'own.mjs': "throw new Error('this must not run');\n",
};

let server: CodeServer;
let bench: Workbench;

beforeAll(async () => {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const vsix = process.env.TOLLGATE_VSIX ?? join(home, 'tollgate.vsix');
  if (!existsSync(vsix)) await buildExtension(vsix);
  const kinds = { 'tollgate-policies.tollgate-vscode': ['web'] };
  server = await CodeServer.start(home, vsix, { 'files.autoSave': 'off', 'remote.extensionKind': kinds });
  bench = await Workbench.open(server, folder, true);
});

afterAll(async () => {
  await bench?.close();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

describe('in a browser', () => {
  let step = 0;
  afterEach(async ({ task }) => {
    step += 1;
    const failed = task.result?.state === 'fail' ? '-failed' : '';
    await bench.picture(`web-${step}-${task.name.replaceAll(/\W+/g, '-')}${failed}`);
  });

  it('finds mistakes with the settings of the workspace', async () => {
    await bench.openFile('broken.yaml');
    await bench.page.locator('.squiggly-error').first().waitFor();
    await bench.page.getByRole('button', { name: 'Traffic Policy', exact: true }).waitFor();
    await bench.until(
      'the status bar names the profile of the settings',
      () => bench.status.textContent(),
      one => /modern.*1/.test(one ?? ''),
    );
    expect(await bench.page.locator('.codelens-decoration').count()).toBe(0);
    // Nothing runs on the computer that has the files.
    expect(processes().filter(one => one.includes('tollgate.js'))).toEqual([]);
  });

  it('explains what is under the mouse, and fixes it', async () => {
    await bench.editor.getByText('metod', { exact: true }).hover();
    await bench.page.locator('.monaco-hover:not(.hidden)').filter({ hasText: 'has no field' }).first().waitFor();
    await bench.goTo(4, 14);
    await bench.page.keyboard.press('Control+.');
    await bench.page.locator('.action-widget').getByText('method').first().click();
    await bench.untilLine('the name is corrected', line => line.includes("req.method == 'PUT'"));
    // Lint rules speak once the expression has a type.
    await bench.page.locator('.squiggly-warning').first().waitFor();
    expect(await bench.page.locator('.squiggly-error').count()).toBe(0);
  });

  it('formats', async () => {
    await bench.run('Format Document');
    await bench.untilLine('the list is laid out', line => line === '      - type: deny');
  });

  it('reads the policy that tests are about', async () => {
    await bench.openFile('policy.test.yaml');
    await bench.page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
  });

  it('says that modules do not run', async () => {
    await bench.openFile('tollgate.yaml');
    await bench.page.locator('.squiggly-warning').first().waitFor();
    await bench.editor.getByText('own.mjs').hover();
    await bench.page
      .locator('.monaco-hover:not(.hidden)')
      .filter({ hasText: 'the editor in a browser runs no modules' })
      .first()
      .waitFor();
  });

  it('offers no command that it cannot run', async () => {
    await bench.openFile('broken.yaml');
    await bench.page.keyboard.press('F1');
    await bench.page.locator('.quick-input-widget input').waitFor();
    await bench.page.keyboard.insertText('Tollgate');
    await bench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Restart' }).first().waitFor();
    const offered = await bench.page.locator('.quick-input-list .monaco-list-row .label-name').allTextContents();
    expect(offered.filter(one => /Trace|Replay|Impact|Explain/.test(one))).toEqual([]);
    await bench.page.keyboard.press('Escape');
  });
});

/** The command lines of all processes with this test's folder. */
function processes(): readonly string[] {
  return readdirSync('/proc').flatMap(id => {
    try {
      const line = /^\d+$/.test(id) ? readFileSync(`/proc/${id}/cmdline`, 'utf8') : '';
      return line.includes(home) ? [line] : [];
    } catch {
      return [];
    }
  });
}
