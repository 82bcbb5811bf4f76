import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';
import { outputOf } from '../support/output-of.ts';

const COMMAND = await installedCommand();

const rule = (word: string) => `export const RULE = {
  id: 'team/word', severity: 'warning', summary: 'a word', rationale: 'Words matter.', cost: 'fast', fixable: 'no', presets: [],
  bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' },
  check: { policy: ({ range }, context) => context.report({ range: { start: 0, end: 1 }, message: ${word} }) },
};`;

it('lints again after a change of a policy, the settings, a module or one of its imports', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  for (const folder of ['policies', 'rules', 'base']) mkdirSync(join(directory, folder));
  write('tollgate.yaml', 'lint: { extends: [./base/base.yaml], load: [./rules/rule.ts] }');
  write('base/base.yaml', 'lint: { extends: [] }');
  write('rules/word.ts', "export const word: string = 'one';");
  write('rules/rule.ts', `import { word } from './word.ts';\n${rule('word')}`);
  write('policies/p.yaml', 'inbound: [{ name: a, actions: [{ type: deny }] }]\n');
  const child = spawn(process.execPath, [COMMAND, 'lint', '--watch', '-f', 'compact', '../policies'], {
    cwd: join(directory, 'base'),
    env: { TOLLGATE_TRUST: '1' },
  });
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
  const sees = outputOf(child);
  try {
    await sees('p.yaml:1:1: warning: one [team/word]');
    write('rules/word.ts', "export const word: string = 'two';");
    await sees('p.yaml:1:1: warning: two [team/word]');
    write('rules/rule.ts', rule("'three'"));
    await sees('p.yaml:1:1: warning: three [team/word]');
    write('base/base.yaml', 'lint: { extends: [], rules: { team/word: error } }');
    await sees('p.yaml:1:1: error: three [team/word]');
    write('policies/p.yaml', 'inbund: []\n');
    await sees('did you mean `inbound`?');
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(1);
  rmSync(directory, { recursive: true });
});
