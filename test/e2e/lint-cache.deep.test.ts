import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const COMMAND = await installedCommand();

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-cache-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), content);
}

/** Returns the messages of a run with a cache. */
function lint(): readonly string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, 'lint', '--cache', '-f', 'json', 'p.yaml'], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, TOLLGATE_TRUST: '1' },
  });
  expect([status, stderr]).toEqual([expect.any(Number), '']);
  return JSON.parse(stdout).diagnostics.map((diagnostic: { message: string }) => diagnostic.message);
}

const RULE = `export const RULE = {
  id: 'team/word', severity: 'warning', summary: 'a word', rationale: 'Words matter.', cost: 'fast', fixable: 'no', presets: [],
  bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' },
  check: { policy: ({ range }, context) => context.report({ range: { start: 0, end: 1 }, message: word() }) },
};`;

const FILES = {
  'tollgate.yaml': 'lint: { extends: [], load: [./rules/rule.ts] }',
  'p.yaml': 'inbound: [{ name: a, actions: [{ type: deny }] }]\n',
};

/** A lint rule that reports a word, which it obtains in different ways, and the file with the word. */
const WAYS = {
  'two imports away': {
    'rules/rule.ts': `import { word } from './word.ts';\n${RULE}`,
    'rules/word.ts': "import { text } from '../far/text.ts';\nexport const word = () => text;",
    'far/text.ts': "export const text: string = 'WORD';",
  },
  'in JSON': {
    'rules/rule.ts': `import { word } from './word.ts';\n${RULE}`,
    'rules/word.ts': "import json from './word.json' with { type: 'json' };\nexport const word = () => json.word;",
    'rules/word.json': '{ "word": "WORD" }',
  },
  'in a package': {
    'rules/rule.ts': `import { word } from 'words';\n${RULE}`,
    'node_modules/words/package.json': '{ "name": "words", "type": "module", "exports": "./index.js" }',
    'node_modules/words/index.js': "import { text } from './text.js';\nexport const word = () => text;",
    'node_modules/words/text.js': "export const text = 'WORD';",
  },
  'in a CommonJS package': {
    'rules/rule.ts': `import words from 'words';\nconst { word } = words;\n${RULE}`,
    'node_modules/words/package.json': '{ "name": "words", "main": "./index.js" }',
    'node_modules/words/index.js': "const { text } = require('./text.json');\nmodule.exports = { word: () => text };",
    'node_modules/words/text.json': '{ "text": "WORD" }',
  },
  'in a module that is loaded late': {
    'rules/rule.ts': `import { createRequire } from 'node:module';\nconst word = () => createRequire(import.meta.url)('./late.cjs');\n${RULE}`,
    'rules/late.cjs': "module.exports = 'WORD';",
  },
} as const;

it.each(Object.entries(WAYS))('is not used after a change of %s', (_, files) => {
  const writeWord = (word: string) => {
    for (const [name, text] of Object.entries({ ...FILES, ...files })) write(name, text.replace('WORD', word));
  };
  writeWord('one');
  expect(lint()).toEqual(['one']);
  expect(lint()).toEqual(['one']);
  writeWord('two');
  expect(lint()).toEqual(['two']);
});

it('is used if nothing has changed', () => {
  for (const [name, text] of Object.entries({ ...FILES, ...WAYS['two imports away'] })) write(name, text);
  lint();
  const path = join(directory, '.tollgate-cache.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('WORD', 'kept'));
  expect(lint()).toEqual(['kept']);
});

it('is not used after a change of a module with extensions', () => {
  const extension = (type: string) =>
    `export default { variables: [{ path: 'req.Team', type: '${type}', doc: 'Team.' }] };`;
  write('tollgate.yaml', 'env: [./team.ts]\nlint: { extends: [] }');
  write('p.yaml', 'inbound: [{ name: a, expressions: ["req.Team == \'a\'"], actions: [{ type: deny }] }]\n');
  write('team.ts', extension('string'));
  expect(lint()).toEqual([]);
  write('team.ts', extension('int'));
  expect(lint()).toHaveLength(1);
});
