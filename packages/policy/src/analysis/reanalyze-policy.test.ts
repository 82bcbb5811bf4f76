import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText, type TextEdit } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createExpressionCache } from '../expressions/expression-cache.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { type Analysis, analyzePolicy, readingsOf } from './analyze-policy.ts';
import { reanalyzePolicy } from './reanalyze-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

const POLICY = `# head
outbound:
- expressions: ["res.StatusCode == 500"]   # late
  actions: [{type: log, config: {metadata: {a: [1, b]}}}]
inbound:
  # first
  - name: one
    expressions:
      - req.Pth == '/a'
      - >-
        req.Host == 'b' &&
        req.Method == "GET"
    actions:
      - type: deny
        config:
          status_code: 404

  # second
  - name: "two \\u0062"
    actions:
      - type: custom-response
        config:
          content: |
            Hello,
            world
          headers: {X-A: b}
    # tail
  - name: three
    actions:
      - {type: redirect, config: {from: '^a(', to: b}}
      - type: lgo
# foot
enabled: false
`;

/** What is read by the YAML library. */
const WITH_ANCHOR = POLICY.replace('[1, b]', '[1, &b b]')
  .replace('to: b', 'to: *b ')
  .replace('status_code: 404', 'status_code: &status 404')
  .replace('          headers', '          status_code: *status\n          headers');
const WITH_MERGE = POLICY.replace('  - name: three', '  - &three\n    name: three').replace(
  '# foot',
  '  - <<: *three\n    name: four\n# foot',
);
const RULES =
  "  - expressions: [res.StatusCode == 1]\n    actions: [type: log]\n  - expressions: ['true', 'false']\n    actions: [type: log]\n";
const LAYOUTS = [
  ['plain', POLICY],
  ['with an anchor', WITH_ANCHOR],
  ['with merged maps', WITH_MERGE],
  ['with one list for two phases', `inbound: &rules\n${RULES}outbound: *rules\n`],
  ['of two documents', `${POLICY}---\ninbound: []\n`],
  ['with CR LF', POLICY.replaceAll('\n', '\r\n')],
] as const;

const analyze = (text: string): Analysis => analyzePolicy(new SourceText('p', text), OPTIONS);

function edited(text: string, { range, newText }: TextEdit): string {
  return text.slice(0, range.start) + newText + text.slice(range.end);
}

/** All but how many values there are at most, which is a bound only, and grows with every edit. */
function comparable({ environments: _, parts: { size: __, rules, ...parts }, ...rest }: Analysis): unknown {
  return { ...rest, parts: { ...parts, rules: readingsOf(rules) } };
}

function editOf(text: string, found: string, newText: string): TextEdit {
  const start = text.indexOf(found);
  return { range: { start, end: start + found.length }, newText };
}

describe('reanalyzing an edited policy', () => {
  it.each([
    ['a name', 'one', 'another'],
    ['a name in a way that changes nothing else', 'one', 'two'],
    ['an expression with an error', 'req.Pth', 'req.Path'],
    ['an expression into one with an error', "req.Host == 'b' &&", "req.Hst == 'b' &&\n\n"],
    ['the last rule', 'lgo', 'log'],
    ['a comment between rules', '# second', '# second rule\n\n  # of some'],
    ['the content of a block scalar', 'world\n', 'world!\n            again\n'],
    ['a comment behind the last rule', '# foot', '# the foot'],
    ['its last line away', '    # tail\n', ''],
    ['its last line into several', '    # tail\n', '    # tail\n      \n    # more\n'],
  ])('reads only one rule if the edit changes %s', (_, found, newText) => {
    const before = analyze(POLICY);
    const edit = editOf(POLICY, found, newText);
    const after = reanalyzePolicy(before, edit, OPTIONS);
    expect(comparable(after)).toEqual(comparable(analyze(edited(POLICY, edit))));
    const trees = (analysis: Analysis) =>
      readingsOf(analysis.parts.rules).map(one => one.rule?.expressions.map(two => two.typed));
    const kept = trees(after).filter((one, index) => one?.every((tree, at) => tree === trees(before)[index]?.[at]));
    expect(kept.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['a rule away', "  - name: three\n    actions:\n      - {type: redirect, config: {from: '^a(', to: b}}\n", ''],
    ['two rules into one', '  - name: three', '    # three'],
    ['the indentation of a rule', '    expressions:\n      - req', '   expressions:\n      - req'],
    ['a rule into two', '    actions:\n      - type: deny', '    actions:\n  - type: deny'],
    ['where a string ends', '"two', "'two"],
    ['a key outside of rules', 'enabled: false', 'enabled: maybe'],
    ['the end of a block into one of comments', '    # tail', '            # tail'],
    ['a name into an anchor', 'one', '&one one'],
  ])('reads more than one rule if the edit changes %s', (_, found, newText) => {
    const edit = editOf(POLICY, found, newText);
    const after = reanalyzePolicy(analyze(POLICY), edit, OPTIONS);
    expect(comparable(after)).toEqual(comparable(analyze(edited(POLICY, edit))));
  });

  it.each(LAYOUTS.filter(([, text]) => !/[*](?:rules|b)/.test(text)))(
    'reads one rule only of a policy %s',
    (_, text) => {
      const before = analyze(text);
      const edit = editOf(text, 'res.StatusCode', 'res.StatsCode');
      const after = reanalyzePolicy(before, edit, OPTIONS);
      expect(comparable(after)).toEqual(comparable(analyze(edited(text, edit))));
      const kept = after.policy!.rules.inbound[0]!.expressions[1]!.typed;
      expect(kept).toBe(before.policy!.rules.inbound[0]!.expressions[1]!.typed);
    },
  );

  it('reads only one rule between an anchor and its alias, without shifting the anchor', () => {
    const rule = (config: string) =>
      `- expressions: ["req.Host == 'a'"]\n  actions: [{type: log, config: {metadata: ${config}}}]\n`;
    const text = `inbound:\n${rule('&a {b: c}')}${rule('{}')}${rule('*a')}`;
    const before = analyze(text);
    const at = text.indexOf("'a'", text.indexOf("'a'") + 3);
    const edit = { range: { start: at, end: at + 3 }, newText: "'another'" };
    const after = reanalyzePolicy(before, edit, OPTIONS);
    expect(comparable(after)).toEqual(comparable(analyze(edited(text, edit))));
    expect(after.policy!.rules.inbound[0]).toBe(before.policy!.rules.inbound[0]);
  });

  it.each([
    ['an anchor away', WITH_ANCHOR, '&status ', ''],
    ['what an anchor is of', WITH_ANCHOR, '&status 404', '&status 405'],
    ['what stands between an anchor and an alias', WITH_ANCHOR, 'Hello', 'Hello, hello'],
    ['the name of an alias', WITH_ANCHOR, '*status', '*stat'],
    ['what is merged elsewhere', WITH_MERGE, 'lgo', 'log'],
  ])('reads more than one rule if the edit changes %s', (_, text, found, newText) => {
    const edit = editOf(text, found, newText);
    const after = reanalyzePolicy(analyze(text), edit, OPTIONS);
    expect(comparable(after)).toEqual(comparable(analyze(edited(text, edit))));
  });

  it.each(LAYOUTS)('gives the same result as a full analysis, edit after edit: %s', (_, policy) => {
    const piece = fc.constantFrom(
      ...'\n -:#"\'[]{}|>ax&*!'.split(''),
      '  ',
      '\n  ',
      '\n- ',
      '\n  - ',
      '',
      '',
      'log',
      ' # c\n',
      '      \n',
      '    # c\n',
      '    name: x\n',
      '  - name: x\n',
      '\n  - actions: [type: log]\n',
    );
    // Editors insert and delete whole lines, which random places rarely are.
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), piece, fc.boolean());
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), changes => {
        let analysis = analyze(policy);
        for (const [where, length, newText, isLine] of changes) {
          const { text } = analysis.parts.source;
          const at = Math.floor(where * text.length);
          const lineEnd = text.indexOf('\n', at + length);
          const start = isLine ? text.lastIndexOf('\n', at) + 1 : at;
          const end = isLine && length > 0 && lineEnd >= 0 ? lineEnd + 1 : at + length;
          const edit = { range: { start, end: Math.min(isLine && length === 0 ? start : end, text.length) }, newText };
          analysis = reanalyzePolicy(analysis, edit, OPTIONS);
          expect(comparable(analysis)).toEqual(comparable(analyze(edited(text, edit))));
        }
      }),
      { numRuns: inject('isDeep') ? 150 : 6 },
    );
  });
});

describe('a cache of expressions', () => {
  it('returns results only for the same source in the same environment', () => {
    const expressions = createExpressionCache();
    const text =
      "inbound: [{expressions: ['true'], actions: [type: log]}]\noutbound: [{expressions: ['true'], actions: [type: log]}]";
    const both = [1, 2].map(() => analyzePolicy(new SourceText('p', text), { ...OPTIONS, expressions }).policy!);
    const tree = (policy: (typeof both)[number], phase: 'inbound' | 'outbound') =>
      policy.rules[phase][0]!.expressions[0]!.typed;
    expect(tree(both[0]!, 'inbound')).toBe(tree(both[1]!, 'inbound'));
    expect(tree(both[0]!, 'inbound')).not.toBe(tree(both[0]!, 'outbound'));
  });

  it('never exceeds its size', () => {
    const expressions = createExpressionCache(3);
    const rules = Array.from(
      { length: 20 },
      (_, n) => `{expressions: ['${n} == ${n}${' || true'.repeat(n)}'], actions: [type: log]}`,
    );
    analyzePolicy(new SourceText('p', `inbound: [${rules}]`), { ...OPTIONS, expressions });
    const { byShape, byText } = expressions.conditions.get(OPTIONS.environments.inbound)!;
    expect(byShape.size + byText.size).toBeLessThanOrEqual(3);
  });
});

it('shifts configuration expressions with the strings that contain them', () => {
  const text = (name: string) => `on_http_request:
  - {name: ${name}, actions: [{type: deny}]}
  - {name: b, actions: [{type: log, config: {metadata: {a: 'x', b: "host \${req.host}"}}}]}
`;
  const options = { profile: MODERN, endpoint: 'http-endpoint' } as const;
  const start = text('').indexOf('name: ') + 'name: '.length;
  const before = analyzePolicy(new SourceText('p', text('a')), options);
  const after = reanalyzePolicy(before, { range: { start, end: start + 1 }, newText: 'long' }, options);
  const action = after.policy!.rules.on_http_request[1]!.actions[0]!;
  const [embedded] = action.expressions;
  expect(embedded).toMatchObject({ kind: 'interpolation', source: 'req.host', offset: 'host ${'.length });
  expect(text('long').slice(embedded!.text.range.start, embedded!.text.range.end)).toBe('"host ${req.host}"');
  expect(action).toEqual(
    analyzePolicy(new SourceText('p', text('long')), options).policy!.rules.on_http_request[1]!.actions[0],
  );
});
