import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildExtension } from '../../scripts/build-vscode.ts';
import { errorsIn, OPEN, offeredActions } from '../editors/support/open-policy.ts';
import { CodeServer } from './support/code-server.ts';
import { Workbench } from './support/workbench.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-vscode-'));
const folder = join(home, 'shop');
const BROKEN = "on_http_request:\n  - expressions:\n      - req.metod == 'PUT'\n    actions:\n      - type: deny\n";
const FILES: Readonly<Record<string, string>> = {
  'a-new.policy.yaml': '',
  'b-new.yaml': '',
  'main.tf': `resource "ngrok_https_edge" "a" {\n  traffic_policy = <<-EOT\n${BROKEN.replaceAll(/^(?=.)/gm, '    ')}  EOT\n}\n`,
  'closed.yaml': BROKEN,
};

/** A policy as it is typed where Enter indents: what is typed on each line, and how many levels are left before it. */
const TYPED: readonly (readonly [back: number, text: string])[] = [
  [0, 'on_http_request:'],
  [0, '- name: no writes'],
  [0, 'expressions:'],
  [0, "- req.method == 'PUT'"],
  [1, 'actions:'],
  [0, '- type: deny'],
];
const WRITTEN = `on_http_request:
  - name: no writes
    expressions:
      - req.method == 'PUT'
    actions:
      - type: deny`;

let server: CodeServer;
let bench: Workbench;

/** Closes the list of suggestions, also one that opens late; Enter would accept its first entry instead of ending the line. */
async function closeSuggestions(): Promise<void> {
  const list = bench.page.locator('.suggest-widget.visible');
  for (let quiet = 0; quiet < 10; quiet += 1) {
    if (quiet === 0 || (await list.count()) > 0) {
      await bench.page.keyboard.press('Escape');
      quiet = 1;
    }
    await bench.page.waitForTimeout(100);
  }
}

const contentOf = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeAll(async () => {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  for (const { label } of await offeredActions()) writeFileSync(join(folder, `${label}.policy.yaml`), OPEN);
  const vsix = process.env.TOLLGATE_VSIX ?? join(home, 'tollgate.vsix');
  if (!existsSync(vsix)) await buildExtension(vsix);
  server = await CodeServer.start(home, vsix, { 'files.autoSave': 'off' });
  bench = await Workbench.open(server, folder, true);
});

afterAll(async () => {
  await bench?.close();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

afterEach(async ({ task }) => bench.picture(`writing-${task.name.replaceAll(/\W+/g, '-')}`));

describe('writing in VS Code', () => {
  // First, since it waits until the extension has started: what is typed before that gets no suggestions.
  it('shows findings in Terraform without an extension for it', async () => {
    await bench.openFile('main.tf');
    await bench.page.locator('.squiggly-error').first().waitFor();
  });

  it('opens suggestions while a word is typed', async () => {
    await bench.openFile('a-new.policy.yaml');
    await bench.goTo(1, 1);
    await bench.page.keyboard.type('on_ht', { delay: 60 });
    const list = bench.page.locator('.suggest-widget.visible');
    await list.getByText('on_http_request', { exact: true }).first().waitFor();
    await bench.picture('writing-suggestions');
    await bench.page.keyboard.press('Escape');
    await bench.page.keyboard.press('Control+A');
    await bench.page.keyboard.press('Delete');
  });

  it('writes a policy from nothing, where Enter indents', async () => {
    await bench.goTo(1, 1);
    for (const [index, [back, text]] of TYPED.entries()) {
      if (index > 0) {
        await closeSuggestions();
        await bench.page.keyboard.press('Enter');
        await bench.until(
          'the next line begins',
          () => bench.page.getByText(`Ln ${index + 1}, Col`).count(),
          one => one > 0,
        );
        await bench.untilIndented();
      }
      for (let level = 0; level < back; level += 1) await bench.page.keyboard.press('Shift+Tab');
      await bench.page.keyboard.type(text, { delay: 30 });
    }
    await bench.page.keyboard.press('Escape');
    await bench.page.keyboard.press('Control+S');
    await bench.until(
      'the policy is saved',
      () => contentOf('a-new.policy.yaml'),
      text => text.trimEnd() === WRITTEN,
    );
  });

  it('recognizes a policy of any name while it is written', async () => {
    await bench.openFile('b-new.yaml');
    await bench.goTo(1, 1);
    await bench.page.keyboard.type('on_http_request:', { delay: 30 });
    await bench.page.keyboard.press('Enter');
    await bench.page.keyboard.type('  - n', { delay: 60 });
    const list = bench.page.locator('.suggest-widget.visible');
    await list.getByText('name', { exact: true }).first().waitFor();
    await bench.page.keyboard.press('Escape');
  });

  it('lists the findings of files that are not open', async () => {
    await bench.run('Problems: Focus on Problems View');
    await bench.page
      .getByRole('treeitem', { name: /closed\.yaml/ })
      .first()
      .waitFor();
  });

  it('accepts every action', async () => {
    const wrong: string[] = [];
    for (const { label } of await offeredActions()) {
      const file = `${label}.policy.yaml`;
      await bench.openFile(file);
      await bench.goTo(7, 9);
      await bench.page.keyboard.press('Control+Space');
      await bench.page.keyboard.type(label);
      const row = bench.page.locator('.suggest-widget.visible .monaco-list-row.focused');
      await bench.until(
        `${label} is chosen`,
        () => row.first().getAttribute('aria-label'),
        one => one?.startsWith(label) === true,
      );
      await bench.page.keyboard.press('Enter');
      await bench.page.keyboard.press('Control+S');
      // While the editor writes it, the file is empty.
      const saved = await bench.until(
        `${file} is saved`,
        () => contentOf(file),
        text => text !== OPEN && text.endsWith('\n'),
      );
      const errors = await errorsIn(saved);
      if (errors.length > 0 || !saved.includes(`\n      - type: ${label}\n`))
        wrong.push(`${label}: ${errors.join(', ')}\n${saved}`);
    }
    expect(wrong).toEqual([]);
  });
});
