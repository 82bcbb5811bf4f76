import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';
import { errorsIn, OPEN, offeredActions } from './support/open-policy.ts';
import { until } from './support/terminal.ts';
import { type Start, startEmacs, startHelix, startNeovim, type TerminalEditor } from './support/terminal-editors.ts';

const BROKEN = `on_http_request:
  - name: office only
    expressions:
      - req.metod == 'GET'
      - conn.client_ip.startsWith('10.')
    actions:
    -   type: deny
`;
const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);

const FILES: Readonly<Record<string, string>> = {
  'broken.yaml': BROKEN,
  'broken.test.yaml': `policy: broken.yaml
tests:
  - name: nobody gets in
    request: { url: / }
    expect: { outcome: denied, rules: { office only: matched } }
`,
  'main.tf': `resource "ngrok_https_edge" "a" {\n  traffic_policy = <<-EOT\n${indented(BROKEN, '    ')}  EOT\n}\n`,
  'guide.md': `# Guide\n\n\`\`\`yaml\n${BROKEN}\`\`\`\n`,
  'policy.json': '{"on_http_request": [{"expressions": ["req.metod == \'GET\'"], "actions": [{"type": "deny"}]}]}\n',
  'new.policy.yaml': '',
};

/** A policy that is written from nothing, line by line, and what must be offered at the end of a part of a line. */
const WRITTEN: readonly (readonly [indentation: string, text: string])[] = [
  ['', 'on_http_request:'],
  ['  ', '- name: no writes'],
  ['    ', 'expressions:'],
  ['      ', "- req.method == 'PUT'"],
  ['    ', 'actions:'],
  ['      ', '- type: deny'],
];

const EDITORS: readonly (readonly [name: string, start: (start: Start) => TerminalEditor])[] = [
  ['Neovim 0.12', start => startNeovim(start, 'Neovim 0.12')],
  ['Neovim of Debian', start => startNeovim(start, 'Neovim of Debian')],
  ['Helix', startHelix],
  ['Emacs', startEmacs],
];

describe.each(EDITORS)('in %s, with the configuration of the guide', (name, startEditor) => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-editor-'));
  const [home, directory, commands] = ['home', 'shop', 'bin'].map(one => join(root, one)) as [string, string, string];
  const contentOf = (file: string) => readFileSync(join(directory, file), 'utf8');
  let editor: TerminalEditor;

  beforeAll(async () => {
    for (const one of [home, directory, commands]) mkdirSync(one, { recursive: true });
    for (const [file, text] of Object.entries(FILES)) writeFileSync(join(directory, file), text);
    writeFileSync(join(directory, 'tollgate.yaml'), 'profile: modern\n');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${await installedCommand()}' "$@"\n`;
    writeFileSync(join(commands, 'tollgate'), script, { mode: 0o755 });
    editor = startEditor({ home, directory, commands });
  });
  afterEach(({ task }) => editor.terminal.picture(`${name}-${task.name}`.replaceAll(/\W+/g, '-')));
  afterAll(() => {
    editor?.terminal.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  });

  // Debian's Emacs has no modes for Terraform and Markdown.
  const opened = name === 'Emacs' ? ['broken.yaml'] : ['broken.yaml', 'main.tf', 'guide.md'];
  it.each(opened)('shows the findings of %s after opening it', async file => {
    await editor.open(file);
    const line =
      1 +
      contentOf(file)
        .split('\n')
        .findIndex(one => one.includes('client_ip'));
    await until(
      'the finding of a lint rule is shown',
      async () => {
        await editor.showFindings(line);
        await editor.terminal.rest();
        return editor.terminal.screen();
      },
      screen => /compared as a string/.test(screen),
    );
  });

  it('fixes, formats and renames', async () => {
    await editor.open('broken.yaml');
    await editor.fix({ line: 4, column: 14 });
    await editor.terminal.shows(/req\.method/);
    await editor.format();
    await editor.terminal.shows(/ {6}- type: deny/);
    await editor.rename({ line: 2, column: 14 }, 'the office');
    await editor.terminal.shows(/name: the office/);
    await editor.save();
    await until(
      'the policy is saved',
      () => contentOf('broken.yaml'),
      text => /name: the office/.test(text),
    );
    expect(contentOf('broken.yaml')).toBe(
      BROKEN.replace('metod', 'method').replace('office only', 'the office').replace('    -   type', '      - type'),
    );
    await until(
      'the test is saved',
      () => contentOf('broken.test.yaml'),
      text => /the office: matched/.test(text),
    );
  });

  // The client of Neovim 0.7 expands no snippets and indents lists by itself; what it does is tested with every run, in `neovim.test.ts`.
  const isOld = name === 'Neovim of Debian';
  it.skipIf(isOld)('accepts every action', async () => {
    const actions = await offeredActions();
    expect(actions.length).toBeGreaterThan(15);
    const wrong: string[] = [];
    for (const { label, index } of actions) {
      const file = `${label}.policy.yaml`;
      writeFileSync(join(directory, file), OPEN);
      await editor.open(file);
      await editor.accept(index, label);
      const written = await until(
        `${label} is inserted`,
        async () => {
          await editor.save();
          return contentOf(file);
        },
        text => text !== OPEN,
      );
      const errors = await errorsIn(written);
      if (errors.length > 0 || !written.slice(OPEN.length - 4).includes(`type: ${label}\n`))
        wrong.push(`${label}: ${errors.join(', ')}\n${written}`);
    }
    expect(wrong).toEqual([]);
  });

  it.skipIf(isOld)('writes a policy from nothing', async () => {
    await editor.open('new.policy.yaml');
    await editor.write();
    const own: number[] = [];
    for (const [index, [indentation, text]] of WRITTEN.entries()) {
      if (index > 0) own.push(await editor.terminal.nextLine(indentation.length, WRITTEN[0]![1]));
      for (const character of text) editor.terminal.type(character);
      await editor.terminal.rest();
    }
    editor.terminal.press('Escape');
    console.log(`${name}: own indentation ${own}, wanted ${WRITTEN.slice(1).map(([one]) => one.length)}`);
    await editor.save();
    const expected = WRITTEN.map(line => line.join('')).join('\n');
    await until(
      'the policy is saved',
      () => contentOf('new.policy.yaml'),
      text => text.trimEnd() === expected,
    );
  });
});
