import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LintDirectory } from '../fixtures/lint-directory.ts';

const ROOM = new LintDirectory();
const { write, lint } = ROOM;
let directory: string;

beforeEach(() => {
  directory = ROOM.make();
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  ROOM.remove();
});

const POLICY = `inbound:
  - expressions: ["req.Method == 'get'"]
    actions: [{ type: deny }]
outbound: []
`;
const NAMELESS = 'style/rule-name-missing';

describe('settings that extend others', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'a file, which may extend a preset',
      {
        'tollgate.yaml': 'lint: { extends: [./base/strict.yaml] }',
        'base/strict.yaml': `lint: { extends: [style], rules: { ${NAMELESS}: error } }`,
      },
      [`${NAMELESS} error`, 'doc/empty-phase info'],
    ],
    [
      'a package, and win over it',
      {
        'tollgate.yaml': `lint: { extends: ['@acme/policies'], rules: { ${NAMELESS}: hint } }`,
        'node_modules/@acme/policies/tollgate.yaml': `lint: { extends: [], rules: { ${NAMELESS}: error, doc/empty-phase: warning } }`,
      },
      [`${NAMELESS} hint`, 'doc/empty-phase warning'],
    ],
    [
      'a file of a package, and several files, where later ones win',
      {
        'tollgate.yaml': 'lint: { extends: [policies/loud.yaml, ./quiet.yaml] }',
        'node_modules/policies/loud.yaml': `lint: { extends: [], rules: { ${NAMELESS}: error, doc/empty-phase: error } }`,
        'quiet.yaml': `lint: { extends: [], overrides: [{ files: ['*.yaml'], rules: { ${NAMELESS}: hint } }] }`,
      },
      [`${NAMELESS} hint`, 'doc/empty-phase error'],
    ],
    [
      'the same file twice',
      {
        'tollgate.yaml': 'lint: { extends: [./a.yaml, ./b.yaml] }',
        'a.yaml': 'lint: { extends: [./c.yaml] }',
        'b.yaml': 'lint: { extends: [./c.yaml] }',
        'c.yaml': `lint: { extends: [], rules: { ${NAMELESS}: error } }`,
      },
      [`${NAMELESS} error`],
    ],
    [
      'a file that loads modules next to it',
      {
        'tollgate.yaml': 'lint: { extends: [./base/a.yaml] }',
        'base/a.yaml': 'lint: { extends: [], load: [./deny.mjs] }',
        'base/deny.mjs': `export const RULE = {
          id: 'team/no-deny', severity: 'warning', summary: 'a deny', rationale: 'We do not.', cost: 'fast', fixable: 'no', presets: [],
          bad: { policy: 'inbound: []' }, good: { policy: 'inbound: []' },
          check: { action: ({ type }, _, context) => context.report({ range: type.range, message: 'no' }) },
        };`,
      },
      ['team/no-deny warning'],
    ],
  ])('take %s', async (_, files, codes) => {
    write({ ...files, 'p.yaml': POLICY });
    const found = await lint(['p.yaml']);
    expect([found.err, found.codes]).toEqual(['', codes]);
  });

  it.each<[string, Record<string, string>, string, string]>([
    [
      'a circle',
      { 'tollgate.yaml': 'lint: { extends: [./a.yaml] }', 'a.yaml': 'lint: { extends: [./tollgate.yaml] }' },
      'a.yaml',
      'circular `extends`: `~/tollgate.yaml`, which extends `~/a.yaml`, which extends `~/tollgate.yaml`',
    ],
    [
      'a preset that is none',
      { 'tollgate.yaml': 'lint: { extends: [recomended] }' },
      'tollgate.yaml',
      'no preset or installed package `recomended`; did you mean `recommended`?',
    ],
    [
      'a lint rule that is none in what is extended',
      { 'tollgate.yaml': 'lint: { extends: [./a.yaml] }', 'a.yaml': 'lint: { rules: { url/unancored: off } }' },
      'a.yaml',
      'unknown lint rule `url/unancored`; did you mean `url/unanchored`?',
    ],
  ])('are refused with %s, at its place', async (_, files, uri, message) => {
    write({ ...files, 'p.yaml': POLICY });
    const { code, report } = await lint(['p.yaml']);
    const found = report.diagnostics.map(diagnostic => ({
      ...diagnostic,
      message: diagnostic.message.replaceAll(directory, '~'),
    }));
    expect([code, found.map(one => [one.uri, one.message])]).toEqual([1, [[uri, message]]]);
  });

  it('name the missing file', async () => {
    write({ 'tollgate.yaml': 'lint: { extends: [./base.yaml] }', 'p.yaml': POLICY });
    const { code, err } = await lint(['p.yaml']);
    expect([code, err]).toEqual([3, `tollgate: cannot read \`~/base.yaml\`: no such file\n`]);
  });
});
