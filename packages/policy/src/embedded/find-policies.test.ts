import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../document/edits.ts';
import { readPlain } from '../document/read-document.ts';
import { diagnosticInFile, editsInFile, offsetInPolicy, rangeInFile, replacementInFile } from './embedded-policy.ts';
import { partAddress } from './find-in-document.ts';
import { findPolicies, wholePolicy } from './find-policies.ts';

const file = (text: string, name = 'a.yaml') => new SourceText(name, text);
const POLICY = 'on_http_request:\n  - expressions: ["req.pth == \'/\'"]\n    actions:\n      - type: deny\n';
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** What is found: the address, and the text of each finding in the file. */
function findingsIn(source: SourceText) {
  return findPolicies(source).map(policy => {
    const { source: own, part } = policy;
    const { diagnostics } = analyzePolicies(own, {
      profile: MODERN,
      endpoint: 'http-endpoint',
      ...(part && { part }),
    });
    const found = diagnostics.map(one => diagnosticInFile(policy, one));
    return [partAddress(policy.path), ...found.map(({ range }) => source.text.slice(range.start, range.end))];
  });
}

describe('policies in YAML and JSON', () => {
  it.each<[string, string, string, string]>([
    ['the file itself', 'a.yaml', POLICY, ''],
    ['a custom resource', 'a.yaml', `kind: NgrokTrafficPolicy\nspec:\n  policy:\n${indent(POLICY, 4)}`, '/spec/policy'],
    ['the second document', 'a.yaml', `kind: Service\n---\nspec:\n  policy:\n${indent(POLICY, 4)}`, '2/spec/policy'],
    [
      'agent configuration',
      'ngrok.yml',
      `version: 3\nendpoints:\n  - name: a\n    traffic_policy:\n${indent(POLICY, 6)}`,
      '/endpoints/0/traffic_policy',
    ],
    ['a literal', 'a.yaml', `data:\n  policy.yaml: |\n${indent(POLICY, 4)}`, '/data/policy.yaml'],
    ['a literal with an indentation indicator', 'a.yaml', `data:\n  p: |2-\n${indent(POLICY, 4)}`, '/data/p'],
    ['double quotes', 'a.yaml', `labels:\n  x: ${JSON.stringify(POLICY)}\n`, '/labels/x'],
    ['double quotes in JSON', 'a.json', JSON.stringify({ traffic_policy: POLICY }), '/traffic_policy'],
    [
      'JSON in double quotes in JSON',
      'a.json',
      JSON.stringify({
        t: JSON.stringify({ on_http_request: [{ expressions: ["req.pth == '/'"], actions: [{ type: 'deny' }] }] }),
      }),
      '/t',
    ],
    [
      'single quotes',
      'a.yaml',
      `x: '{"on_http_request": [{"expressions": ["req.pth == ''/''"], "actions": [{"type": "deny"}]}]}'\n`,
      '/x',
    ],
    [
      'a document in a document',
      'a.yaml',
      `data:\n  ngrok.yml: |\n    endpoints:\n      - traffic_policy:\n${indent(POLICY, 10)}`,
      '/data/ngrok.yml/endpoints/0/traffic_policy',
    ],
    ['a list of labels', 'a.yaml', `labels:\n  - x\n  - |\n${indent(POLICY, 4)}`, '/labels/1'],
    ['CRLF', 'a.yaml', `data:\n  p: |\n${indent(POLICY, 4)}`.replaceAll('\n', '\r\n'), '/data/p'],
  ])('are found in %s', (_, name, text, address) => {
    expect(findingsIn(file(text, name))).toEqual([[address, 'pth']]);
  });

  it.each([
    ['', 'nothing'],
    ['# a comment\n', 'a comment'],
    ['enabled: true\n', 'a setting'],
    ['services:\n  web:\n    image: nginx\n', 'Compose'],
    ['rules:\n  inbound:\n    - port: 80\n  outbound: []\n', 'firewall rules'],
    ['inbound:\n  - name: a\n    policy: allow\nversion: 1\n', 'firewall rules at the root'],
    [
      'jobs:\n  a:\n    run: |\n      cat <<EOF\n      on_http_request:\n        - actions: [{type: deny}]\n      EOF\n',
      'a script',
    ],
    ['a: [\n  on_http_request\n', 'broken YAML'],
    ['{{ if .Values.inbound }}\nx: {{ .Values.inbound: }}\n{{ end }}', 'a template'],
    ['paths:\n  /inbound:\n    get: {}\n', 'an API description'],
  ])('are not found in %j (%s)', text => {
    expect(findPolicies(file(text))).toEqual([]);
  });

  it('are found where the kind of the resource says so, even without a valid key', () => {
    const text =
      'kind: AgentEndpoint\nspec:\n  url: tcp://1.tcp.example:1\n  trafficPolicy:\n    inline: {on_htp: []}\n';
    const [found] = findPolicies(file(text));
    expect([partAddress(found!.path), found!.endpoint]).toEqual(['/spec/trafficPolicy/inline', 'tcp-endpoint']);
  });

  it('are found where settings say so', () => {
    const text = 'kind: Gate\nspec:\n  gates:\n    - rules: {wrong: []}\n    - rules: "wrong: []"\n';
    const addresses = [{ kind: 'Gate', path: ['spec', 'gates', '*', 'rules'] }];
    const found = findPolicies(file(text), { addresses }).map(one => partAddress(one.path));
    expect(found).toEqual(['/spec/gates/0/rules', '/spec/gates/1/rules']);
  });

  it('are found although they are broken', () => {
    expect(findPolicies(file('inbund: []\n'))).toHaveLength(1);
    const text = 'on_http_request:\n  - actions: [{type: deny}\n    name: x\n';
    expect(findPolicies(file(text)).map(one => one.part)).toEqual([undefined]);
    expect(findPolicies(file(`data:\n  p: |\n${indent(text, 4)}`)).map(one => partAddress(one.path))).toEqual([
      '/data/p',
    ]);
  });
});

describe('edits of an embedded policy', () => {
  const WRITERS: readonly [string, (policy: string) => string][] = [
    ['a literal', policy => `a:\n  # kept\n  p: |\n${indent(policy, 4)}\nb:   1\n`],
    ['a literal with CRLF', policy => `a:\n  p: |\n${indent(policy, 4)}\nb:   1\n`.replaceAll('\n', '\r\n')],
    ['a stripped literal', policy => `a:\n  p: |-\n${indent(policy, 6)}b: 1\n`],
    ['a literal in a list', policy => `- |\n${indent(policy, 1)}- x\n`],
    ['double quotes', policy => `a: {p:   ${JSON.stringify(policy)} } # kept\n`],
    ['a literal in a literal', policy => `a: |\n  p: |\n${indent(policy, 5)}  q: 1\nb: 1\n`],
    ['double quotes in a literal', policy => `a: |\n  p: ${JSON.stringify(policy)}\n`],
  ];

  it.each(WRITERS)('give the same policy as edits of the policy alone, in %s', (_, write) => {
    const text = write(POLICY);
    const [policy] = findPolicies(file(text));
    const own = policy!.source.text;
    for (const at of [0, 5, POLICY.indexOf('pth'), POLICY.indexOf('    actions'), own.length])
      for (const length of [0, 1, 20])
        for (const newText of ['', 'x', 'x: "${y}"\n', "\n\n  é'\\\n"]) {
          const range = { start: at, end: Math.min(at + length, own.length) };
          const edited = applyEdits(own, [{ range, newText }]);
          // What follows the last line is given by the style of the scalar.
          const wanted = `${edited.trimEnd()}\n`;
          const edits = editsInFile(policy!, [{ range, newText }]);
          if (!edits || /^\s|\s\n/.test(wanted)) continue;
          expect(applyEdits(text, edits)).toBe(write(wanted).replaceAll(/(?<=\n)[ ]+(?=\r?\n)/g, ''));
        }
  });

  it.each(WRITERS)('can remove any line, in %s', (_, write) => {
    const lines = `# a\n${POLICY}# z\n`.split('\n').slice(0, -1);
    const text = write(`${lines.join('\n')}\n`);
    const [policy] = findPolicies(file(text));
    for (const [index] of lines.entries())
      for (const count of [1, 2]) {
        const wanted = `${lines.toSpliced(index, count).join('\n')}\n`;
        expect(applyEdits(text, [replacementInFile(policy!, wanted)!])).toBe(write(wanted));
      }
  });

  it('change nothing if the policy does not change', () => {
    for (const [, write] of WRITERS) {
      const text = write(POLICY);
      const [policy] = findPolicies(file(text));
      const edit = replacementInFile(policy!, policy!.source.text);
      expect(applyEdits(text, [edit!])).toBe(text);
    }
  });

  it('are not made where the notation has no line breaks', () => {
    const text = `x: '{"on_http_request": []}'\n`;
    const [policy] = findPolicies(file(text));
    expect(replacementInFile(policy!, 'on_http_request: []\nx: 1')).toBeUndefined();
    expect(replacementInFile(policy!, `{"on_http_request": ['']}`)?.newText).toBe("''''");
  });
});

it('maps offsets in the file to offsets in the policy', () => {
  const text = `a: |\n  p: ${JSON.stringify(POLICY)}\n`;
  const [policy] = findPolicies(file(text));
  for (let at = 0; at < POLICY.length; at += 1) {
    const { start } = rangeInFile(policy!, { start: at, end: at + 1 });
    expect(offsetInPolicy(policy!, start)).toBe(at);
  }
  expect(offsetInPolicy(policy!, 0)).toBeUndefined();
});

describe('wholePolicy', () => {
  const JSON_POLICY = '{"inbound": [{"actions": [{"type": "deny"}]}], "outbound": null}';

  it.each([
    ['YAML', 'a.yaml', POLICY],
    ['JSON', 'a.json', JSON_POLICY],
    ['JSON in a YAML file', 'a.yaml', JSON_POLICY],
  ])('returns the value of the policy that findPolicies finds: %s', (_, name, text) => {
    const source = file(text, name);
    expect(findPolicies(source)).toMatchObject([{ file: source, source, part: undefined, layers: [] }]);
    expect(wholePolicy(source)).toEqual(readPlain(source));
  });

  it.each([
    ['several documents', 'a.yaml', `${POLICY}---\n${POLICY}`],
    ['a policy within a document', 'a.yaml', `spec:\n  policy:\n${indent(POLICY, 4)}`],
    ['the body of a request', 'a.json', `{"module": ${JSON_POLICY}}`],
    ['a policy with placeholders', 'a.yaml', POLICY.replace('deny', '{{ .Values.action }}')],
    ['a policy with errors', 'a.yaml', `${POLICY}${POLICY}`],
    ['Markdown', 'a.md', POLICY],
    ['Terraform', 'a.tf', POLICY],
    ['another file', 'a.yaml', 'inbound: 5\n'],
    ['nothing', 'a.yaml', ''],
  ])('leaves %s to findPolicies', (_, name, text) => {
    expect(wholePolicy(file(text, name))).toBeUndefined();
  });

  it('leaves a policy to findPolicies if the settings name a template language', () => {
    expect(wholePolicy(file(POLICY), { templates: 'envsubst' })).toBeUndefined();
  });
});
