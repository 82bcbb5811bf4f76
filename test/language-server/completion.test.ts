import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Hover,
  type SignatureHelp,
} from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const RULE = (expression: string) =>
  `on_http_request:\n  - expressions:\n      - ${expression}\n    actions:\n      - type: deny\n`;

/** Opens a text with `|` at the cursor, and asks. */
async function ask<T>(method: string, marked: string, uri = 'file:///w/p.yaml', capabilities = {}): Promise<T> {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const editor = await Editor.start(memoryHost(new Map()), capabilities);
  await editor.open(uri, text, 'tollgate');
  const position = new SourceText('', text).positionAt(at);
  const result = await editor.request<T>(method, { textDocument: { uri }, position });
  await editor.end();
  return result;
}

async function labels(marked: string, uri?: string): Promise<readonly string[]> {
  const list = await ask<CompletionList | null>('textDocument/completion', marked, uri);
  return (list?.items ?? []).map(({ label }) => label);
}

describe('completion', () => {
  it.each([
    ['phases of all profiles in an empty document', '|', ['on_tcp_connect', 'on_http_request', 'inbound'], []],
    [
      'the other keys of a rule',
      'on_http_request:\n  - name: a\n    |\n    actions:\n      - type: deny\n',
      ['expressions'],
      ['name', 'actions'],
    ],
    ['keys of a rule begun', 'on_http_request:\n  - n|', ['name', 'expressions', 'actions'], []],
    [
      'keys while typing one with text below',
      'on_http_request:\n  - exp|\n    actions:\n      - type: deny\n',
      ['expressions'],
      ['actions'],
    ],
    ['action types', 'on_http_request:\n  - actions:\n      - type: |\n', ['deny', 'redirect'], ['enabled']],
    [
      'keys of an action, and whole actions',
      'on_http_request:\n  - actions:\n      - |\n',
      ['type', 'config', 'deny'],
      [],
    ],
    [
      'keys of a configuration',
      'on_http_request:\n  - actions:\n      - type: redirect\n        config:\n          to: x\n          |\n',
      ['from', 'status_code'],
      ['to'],
    ],
    [
      'keys of a configuration before its type',
      'on_http_request:\n  - actions:\n      - config:\n          |\n        type: redirect\n',
      ['to'],
      [],
    ],
    [
      'keys in braces',
      'on_http_request:\n  - actions:\n      - {type: redirect, config: {to: x, |}}\n',
      ['from'],
      ['to'],
    ],
    [
      'status codes with reasons',
      'on_http_request:\n  - actions:\n      - type: redirect\n        config:\n          status_code: |\n',
      ['301', '308'],
      ['200'],
    ],
    [
      'header names',
      'on_http_response:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            c|\n',
      ['cache-control'],
      [],
    ],
    ['variables', RULE('|'), ['req', 'conn', 'has'], ['res']],
    ['variables of a half expression', RULE('"req.method == \'GET\' && |"'), ['req', 'conn', 'has'], []],
    ['fields after a dot', RULE('req.|'), ['url', 'method', 'headers'], ['startsWith']],
    ['fields while typing', RULE('req.url.pa|'), ['path', 'query'], []],
    ['methods of a string', RULE('req.method.|'), ['startsWith', 'matches', 'lowerAscii'], ['exists', 'getHours']],
    ['macros of a list', RULE('req.headers["x"].|'), ['exists', 'all', 'filter'], ['startsWith']],
    ['members of the variable of a macro', RULE('req.headers["x"].exists(v, v.|'), ['startsWith'], ['exists']],
    ['the variable of a macro', RULE('req.headers["x"].exists(v, |'), ['v', 'req'], []],
    ['methods in a comparison', RULE('"req.method == \'|\'"'), ['GET', 'POST'], ['200']],
    ['methods in a list', RULE("\"req.method in ['GET', '|']\""), ['GET', 'POST'], []],
    ['countries', RULE('"conn.geo.country_code == \'|\'"'), ['DE', 'NO'], ['XX']],
    ['names of headers in an index', RULE('"req.headers[\'|\']"'), ['user-agent', 'host'], []],
    [
      'expressions in a block scalar',
      'on_http_request:\n  - expressions:\n      - >-\n        req.method == "GET" &&\n        req.u|\n    actions: []\n',
      ['url'],
      [],
    ],
    [
      'expressions inside text',
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${conn.|}"\n',
      ['client_ip'],
      [],
    ],
    [
      'nothing in plain text',
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello conn.|"\n',
      [],
      ['client_ip'],
    ],
    ['expressions of JSON', '{"on_http_request": [{"expressions": ["req.|"], "actions": []}]}', ['url'], []],
    ['keys of JSON', '{"on_http_request": [{"|"}]}', ['expressions', 'actions'], []],
    [
      'what suppressions name',
      'on_http_request:\n  # tollgate-ignore ty|\n  - actions: []\n',
      ['type/unguarded-index'],
      [],
    ],
    ['variables of other phases', 'on_http_response:\n  - expressions:\n      - res.|\n', ['status_code'], []],
  ])('offers %s', async (_, marked, offered, missing) => {
    const found = await labels(marked);
    expect(found).toEqual(expect.arrayContaining(offered));
    expect(found.filter(label => missing.includes(label))).toEqual([]);
  });

  it('offers keys and values of policy tests and settings', async () => {
    expect(
      await labels('policy: p.yaml\ntests:\n  - name: a\n    expect:\n      outcome: |\n', 'file:///w/a.test.yaml'),
    ).toContain('denied');
    expect(await labels('lint:\n  rules:\n    |\n', 'file:///w/tollgate.yaml')).toContain('type/unguarded-index');
    expect(await labels('profile: |\n', 'file:///w/tollgate.yaml')).toEqual(['edge-v2', 'edge-v2-snake', 'modern']);
  });

  it.each([
    ['the current profile in an empty document', '|', 'on_tcp_connect'],
    ['the request where an expression begins', RULE('|'), 'req'],
    ['the response in its phase', 'on_http_response:\n  - expressions:\n      - |\n', 'res'],
    ['names of headers in an index', RULE('req.headers[|'), "'accept'"],
    ['names of headers with a quote that needs no escape', RULE("'req.headers[|'"), '"accept"'],
    ['methods after a comparison', RULE('req.method == |'), "'GET'"],
    ['methods while typing one', RULE('req.method in [P|'), "'GET'"],
    ['numbers of statuses', 'on_http_response:\n  - expressions:\n      - res.status_code == |\n', '100'],
    ['`deny` among actions', 'on_http_request:\n  - actions:\n      - type: |\n', 'deny'],
    [
      'algorithms with public keys',
      'on_http_request:\n  - actions:\n      - type: jwt-validation\n        config:\n          jws:\n            allowed_algorithms:\n              - |\n',
      'RS256',
    ],
    [
      'variables that the policy sets',
      'on_http_request:\n  - actions:\n      - type: set-vars\n        config:\n          vars:\n            - team: red\n  - expressions:\n      - vars.|\n    actions:\n      - type: deny\n',
      'team',
    ],
  ])('offers first %s', async (_, marked, expected) => {
    expect((await labels(marked))[0]).toBe(expected);
  });

  it('offers the rules and the paths of policies in policy tests', async () => {
    const policy = 'on_http_request:\n  - name: office only\n    actions:\n      - type: deny\n';
    const files = new Map([
      ['/w/policies/p.yaml', policy],
      ['/w/tests/a.test.yaml', ''],
    ]);
    const editor = await Editor.start(memoryHost(files));
    const uri = 'file:///w/tests/a.test.yaml';
    const at = async (marked: string) => {
      const text = marked.replace('|', '');
      await editor.open(uri, text);
      const position = new SourceText('', text).positionAt(marked.indexOf('|'));
      const params = { textDocument: { uri }, position };
      return (await editor.request<CompletionList>('textDocument/completion', params)).items.map(one => one.label);
    };
    expect(await at('policy: |\n')).toEqual(['../policies/p.yaml']);
    expect(await at('policy: ../pol|\n')).toEqual(['../policies/p.yaml']);
    const test =
      'policy: ../policies/p.yaml\ntests:\n  - name: a\n    request: { url: / }\n    expect:\n      rules:\n        |\n';
    expect(await at(test)).toEqual(['office only']);
    await editor.end();
  });

  it('adds documentation when an item is resolved', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open('file:///w/p.yaml', RULE('req.'));
    const params = { textDocument: { uri: 'file:///w/p.yaml' }, position: { line: 2, character: 12 } };
    const { items } = await editor.request<CompletionList>('textDocument/completion', params);
    const method = items.find(one => one.label === 'method')!;
    expect(method.documentation).toBeUndefined();
    const resolved = await editor.request<CompletionItem>('completionItem/resolve', method);
    expect(JSON.stringify(resolved.documentation)).toContain('Example');
    await editor.end();
  });
});

/** How clients insert several lines, as Neovim, Helix and VS Code do: the line's own indentation comes before each, or nothing does. */
const CLIENTS = [
  { client: 'a client that indents like the line', indents: 'line' },
  { client: 'a client that inserts text as it is', indents: 'as-is' },
  { client: 'a client that says that it indents to the column', indents: 'column' },
] as const;
type Indents = (typeof CLIENTS)[number]['indents'];

/** Inserts an item as the client does, and returns the document with the first choice of each placeholder. */
function accept(text: string, { textEdit, insertTextMode }: CompletionItem, indents: Indents): string {
  if (!textEdit || !('range' in textEdit)) throw new Error('an item without a range');
  const { range, newText } = textEdit;
  const source = new SourceText('', text);
  const [start, end] = [source.offsetAt(range.start), source.offsetAt(range.end)];
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const own = /^ */.exec(text.slice(line))![0];
  expect(insertTextMode ?? 0).toBe(indents === 'as-is' && newText.includes('\n') ? 1 : 0);
  const added = { line: own, 'as-is': '', column: ' '.repeat(start - line) }[indents];
  const expanded = newText
    .replaceAll('\n', `\n${added}`)
    .replaceAll(/\$\{\d+:((?:\\.|[^}\\])*)\}|\$\d/g, (_, value = '') => value.replaceAll(/\\(.)/g, '$1'));
  return text.slice(0, start) + expanded + text.slice(end);
}

const MANIFEST = (policy: string) =>
  `kind: NgrokTrafficPolicy\napiVersion: ngrok.k8s.ngrok.com/v1alpha1\nmetadata: { name: p }\nspec:\n  policy:\n${policy.replaceAll(/^(?=.)/gm, '    ')}`;
const TERRAFORM = (policy: string) =>
  `resource "ngrok_https_edge" "a" {\n  traffic_policy = <<-EOT\n${policy.replaceAll(/^(?=.)/gm, '    ')}  EOT\n}\n`;
const MARKDOWN = (policy: string) => `1. Write\n\n   \`\`\`yaml\n${policy.replaceAll(/^(?=.)/gm, '   ')}   \`\`\`\n`;

const START = 'on_http_request:\n  - name: a\n    actions:\n      - type: deny\n  - name: b\n    actions:\n';

describe('accepted items', () => {
  const places = [
    ['after a dash', '/w/p.yaml', `${START}      - |\n`],
    ['after the start of a word', '/w/p.yaml', `${START}      - de|\n`],
    ['on a line of its own', '/w/p.yaml', `${START}      -\n        |\n`],
    ['after `type`', '/w/p.yaml', `${START}      - type: |\n`],
    ['after `type` on a line of its own', '/w/p.yaml', `${START}      -\n        type: |\n`],
    ['in a manifest', '/w/m.yaml', MANIFEST(`${START}      - |\n`)],
    ['in Terraform', '/w/m.tf', TERRAFORM(`${START}      - |\n`)],
    ['in Markdown', '/w/m.md', MARKDOWN(`${START}      - |\n`)],
  ] as const;

  for (const { client, indents } of CLIENTS)
    it.each(places)(`leave a policy that can be checked, %s, in ${client}`, async (_, path, marked) => {
      const insertTextModeSupport = indents === 'as-is' ? { valueSet: [1, 2] as (1 | 2)[] } : undefined;
      const completionItem = { snippetSupport: true, ...(insertTextModeSupport && { insertTextModeSupport }) };
      const capabilities = { textDocument: { completion: { completionItem } } };
      const options = indents === 'column' ? { initializationOptions: { indents } } : {};
      const editor = await Editor.start(memoryHost(new Map()), capabilities, options);
      const text = marked.replace('|', '');
      const uri = `file://${path}`;
      const language = path === '/w/p.yaml' ? 'tollgate' : 'yaml';
      await editor.open(uri, text, language);
      const position = new SourceText('', text).positionAt(marked.indexOf('|'));
      const params = { textDocument: { uri }, position };
      const { items } = await editor.request<CompletionList>('textDocument/completion', params);
      const actions = items.filter(one => one.kind === CompletionItemKind.Struct);
      expect(actions.length).toBeGreaterThan(15);
      for (const item of actions) {
        const result = accept(text, item, indents);
        const accepted = `file:///w/${item.label}${path.slice(path.lastIndexOf('.'))}`;
        await editor.open(accepted, result, language);
        const found = (await editor.pullSettled(accepted)).filter(one => one.severity === 1);
        expect([item.label, found.map(one => one.message), result]).toEqual([item.label, [], result]);
      }
      await editor.end();
    });

  it('are one line for clients that do not expand snippets', async () => {
    const { items } = await ask<CompletionList>('textDocument/completion', `${START}      - |\n`);
    expect(items.filter(one => one.insertTextFormat === 2 || one.textEdit?.newText.includes('\n'))).toEqual([]);
  });

  it.each([
    ['a map', 'on_http_request:\n  - actions:\n      - type: redirect\n        con|', '\n          $0'],
    ['a list', 'on_http_request:\n  - exp|', '\n      - $0'],
    ['a list on a line of its own', 'on_http_request:\n  - name: a\n    exp|', '\n      - $0'],
  ])('indent %s from its key', async (_, marked, expected) => {
    const completionItem = { snippetSupport: true, insertTextModeSupport: { valueSet: [1] } };
    const capabilities = { textDocument: { completion: { completionItem } } };
    const { items } = await ask<CompletionList>('textDocument/completion', marked, undefined, capabilities);
    const edits = items.map(one => one.textEdit?.newText ?? '').filter(one => one.includes('\n'));
    expect(edits.some(one => one.endsWith(expected))).toBe(true);
  });
});

const WORDS = `on_http_request:
  - name: office
    expressions:
      - req.method == 'TRACE'
    actions:
      - type: deny
`;
const IN_WORDS = ['  - na|me: office', '  - name: off|ice', '    expre|ssions:', '    act|ions:'].map(
  (line): [string, string, string] => [
    'a rule in words',
    WORDS.replace(line.replace('|', ''), line),
    'When the method is `TRACE`: denies with 403.',
  ],
);

describe('hover', () => {
  it.each([
    ['a variable', RULE('req.url.pa|th == "/"'), 'req.url.path: '],
    ['a function', RULE('req.url.path.starts|With("/a")'), 'startsWith(string) -> bool'],
    ['a macro', RULE('req.headers["x"].exi|sts(v, v == "a")'), 'exists'],
    ['the variable of a macro', RULE('req.headers["x"].exists(v, |v == "a")'), 'v: string'],
    ['a phase', 'on_http_|request:\n  - actions: []\n', '`on_http_request`'],
    ['a key', 'on_http_request:\n  - expr|essions: []\n    actions: []\n', 'must all hold'],
    ['an action', 'on_http_request:\n  - actions:\n      - type: redi|rect\n', '**redirect**'],
    [
      'a key of a configuration',
      'on_http_request:\n  - actions:\n      - type: redirect\n        config:\n          status_|code: 301\n',
      'status_code',
    ],
    [
      'a suppression',
      'on_http_request:\n  # tollgate-ignore type/ung|uarded-index\n  - actions: []\n',
      '**type/unguarded-index**',
    ],
    ['a broken expression', RULE('req.url.pa|th == && "'), 'req.url.path: '],
    ...IN_WORDS,
    ['an action of that rule', WORDS.replace('type: deny', 'type: de|ny'), '**deny**'],
  ])('documents %s', async (_, marked, expected) => {
    const found = await ask<Hover>('textDocument/hover', marked);
    expect(JSON.stringify(found?.contents)).toContain(expected);
  });
});

describe('signature help', () => {
  it.each([
    ['a method', RULE('req.url.path.startsWith(|'), 'string.startsWith(string) -> bool', 0],
    ['the second argument', RULE('req.url.path.replace("a", |'), 'replace(', 1],
    ['a macro', RULE('req.headers["x"].exists(v, |'), 'exists(variable, condition)', 1],
  ])('shows %s', async (_, marked, label, active) => {
    const found = await ask<SignatureHelp>('textDocument/signatureHelp', marked);
    expect(found.signatures[found.activeSignature ?? 0]!.label).toContain(label);
    expect(found.activeParameter).toBe(active);
  });
});
