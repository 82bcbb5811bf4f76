import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { checkRewrite, type RewritePromise } from './check-rewrite.ts';

const OLD = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const NEW = { profile: MODERN, endpoint: 'https-route' } as const;

const rule = (condition: string, action = 'deny') =>
  `  - expressions:\n      - "${condition}"\n    actions:\n      - type: ${action}\n`;
const DENY = `inbound:\n${rule("req.Path == '/a'")}`;

async function broken(before: string, after: string, promise: RewritePromise): Promise<string | undefined> {
  const rewrite = { before: new SourceText('p.yaml', before), after: new SourceText('p.yaml', after) };
  return (await checkRewrite(rewrite, promise))?.message;
}

const says = (what: string) => `internal error: ${what}; \`p.yaml\` was not changed, please report this`;

describe('a formatted document', () => {
  const format: RewritePromise = { kind: 'format', target: OLD };

  it.each([
    ['layout', 'inbound: [{actions: [{type: "deny"}]}]\n', 'inbound:\n  - actions:\n      - type: deny\n'],
    ['the order of keys', 'outbound: []\ninbound: []\n', 'inbound: []\noutbound: []\n'],
    ['the layout of expressions', DENY, DENY.replace(' == ', '==')],
    ['an error in the policy', 'inbond: [{}]\n', 'inbond:\n  - {}\n'],
  ])('may change %s', async (_, before, after) => {
    expect(await broken(before, after, format)).toBeUndefined();
  });

  it.each([
    ['an expression', DENY, DENY.replace('/a', '/b'), 'document 1, /inbound/0/expressions/0'],
    ['a key that moves out of its rule', 'inbound:\n  - name: a\n', 'inbound:\n  -\nname: a\n', 'document 1, the root'],
    [
      'a name that looks like an expression',
      'inbound:\n  - name: a+b\n',
      'inbound:\n  - name: a + b\n',
      'document 1, /inbound/0/name',
    ],
    ['the type of a value', 'enabled: true\n', 'enabled: "true"\n', 'document 1, /enabled'],
    [
      'what a line break hides',
      'inbound: [] # a\renabled: false\n',
      'inbound: [] # a\nenabled: false\n',
      'the document can no longer be read',
    ],
    ['a comment', '# a\ninbound: []\n', '# b\ninbound: []\n', 'the comments'],
    ['the number of documents', 'inbound: []\n', 'inbound: []\n---\ninbound: []\n', '1 documents, then 2'],
    ['an error in its YAML', 'inbound: []\n', 'inbound: [\n', 'the document can no longer be read'],
  ])('must not change %s', async (_, before, after, where) => {
    expect(await broken(before, after, format)).toBe(
      says(`formatting would change the meaning of the file (${where})`),
    );
  });
});

describe('a fixed document', () => {
  const fix = (isSafe: boolean): RewritePromise => ({ kind: 'fix', target: OLD, isSafe, by: '`my/rule`' });

  it('must have no new error', async () => {
    expect(await broken(DENY, DENY.replace('deny', 'dny'), fix(false))).toBe(
      says(
        'the fixes of `my/rule` would introduce an error (policy/unknown-action: unknown action `dny`; did you mean `deny`?)',
      ),
    );
    expect(await broken(DENY.replace('deny', 'dny'), DENY, fix(true))).toBeUndefined();
  });

  it('must decide the same if the fixes are safe', async () => {
    const other = DENY.replace('/a', '/b');
    expect(await broken(DENY, other, fix(true))).toMatch(
      /^internal error: the safe fixes of `my\/rule` would change decisions \(GET https:.*denied/,
    );
    expect(await broken(DENY, other, fix(false))).toBeUndefined();
    // No generated exchange has this path.
    const narrow = DENY.replace("req.Path == '/a'", "req.Path.matches('^/[k-m]{3}7')");
    expect(await broken(narrow, narrow.replace('k-m', 'k-l'), fix(true))).toMatch(
      /^internal error: the safe fixes of `my\/rule` would change decisions \(GET https:/,
    );
    expect(await broken(DENY, DENY.replace("req.Path == '/a'", "'/a' == req.Path"), fix(true))).toBeUndefined();
  });
});

describe('a migrated document', () => {
  const migrate = (reported: Extract<RewritePromise, { kind: 'migrate' }>['reported'] = []): RewritePromise => ({
    ...{ kind: 'migrate', from: OLD, to: NEW, reported },
  });
  const before = DENY.replace('deny', 'deny\n        config: { status_code: 403 }');
  const after = before.replace('inbound', 'on_http_request').replace('req.Path', 'req.url.path');

  it('decides the same, unless a loss is reported', async () => {
    expect(await broken(before, after, migrate())).toBeUndefined();
    expect(await broken(before, after.replace('/a', '/b'), migrate())).toMatch(
      /migration would change decisions \(GET https:/,
    );
    const loss = {
      code: 'migrate/enabled',
      severity: 'warning',
      message: 'm',
      uri: 'p.yaml',
      range: { start: 0, end: 0 },
      args: {},
    } as const;
    expect(await broken(before, after.replace('/a', '/b'), migrate([loss]))).toBeUndefined();
  });

  it('decides what only the solver finds the same', async () => {
    // No generated exchange has this path: it is not a string in the policy.
    const narrow = before.replace("req.Path == '/a'", "req.Path.matches('^/[k-m]{3}7')");
    const migrated = narrow.replace('inbound', 'on_http_request').replace('req.Path', 'req.url.path');
    expect(await broken(narrow, migrated, migrate())).toBeUndefined();
    expect(await broken(narrow, migrated.replace('k-m', 'n-p'), migrate())).toMatch(
      /migration would change decisions \(GET https:.*7: (denied 403, then passed|passed at \S+, then denied 403)/,
    );
  });

  it('has all policies, and only reported errors', async () => {
    expect(await broken(before, after.replace('url.path', 'url.pth'), migrate())).toMatch(
      /the migrated policy would have an unreported error \(name\//,
    );
    expect(await broken(before, `${after}---\n${after}`, migrate())).toBe(
      says('migration would turn 1 policies into 2'),
    );
  });
});
