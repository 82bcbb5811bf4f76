import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { type Analysis, analyzePolicy, ruleAt } from './analyze-policy.ts';
import { reanalyzePolicy } from './reanalyze-policy.ts';

const OPTIONS = { profile: MODERN, endpoint: 'cloud-endpoint' } as const;

/** Rules that concern each other: by variables, by groups of actions, and because one of them handles all traffic. */
const POLICY = `on_http_request:
  - name: first
    actions: [{type: set-vars, config: {vars: [{team: red}]}}]
  - expressions: ["vars.team == 'red'"]
    actions: [{type: log, config: {metadata: {a: "\${vars.other}"}}}]
  - expressions: ["req.method == 'GET'"]
    actions: [{type: deny}]
  - actions: [{type: oauth, config: {provider: google}}]
  - actions: [{type: basic-auth, config: {credentials: ["a:secret-password"]}}]
  - actions: [{type: deny}]
`;

const analyze = (text: string) => analyzePolicy(new SourceText('p', text), OPTIONS);

it('finds in moved rules what a full analysis finds, and the rule at each offset', () => {
  const words = ['team', 'other', 'deny', 'oauth', 'log', 'GET', 'basic-auth', 'first'];
  const change = fc.record({
    found: fc.constantFrom(...words),
    newText: fc.constantFrom(...words, 'longer than before', ''),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), changes => {
      let analysis: Analysis = analyze(POLICY);
      for (const { found, newText, at } of changes) {
        const { text } = analysis.parts.source;
        const start = text.indexOf(found);
        if (start < 0) continue;
        analysis = reanalyzePolicy(analysis, { range: { start, end: start + found.length }, newText }, OPTIONS);
        const fresh = analyze(analysis.parts.source.text);
        expect(analysis.diagnostics).toEqual(fresh.diagnostics);
        const offset = Math.floor(at * analysis.parts.source.text.length);
        const rules = fresh.policy!.rules.on_http_request;
        const expected = rules.find(({ range }) => range.start <= offset && offset <= range.end);
        expect(ruleAt(analysis.parts.rules, offset)).toEqual(expected);
      }
    }),
    { numRuns: inject('isDeep') ? 1500 : 25 },
  );
});

it('reports every kind of rule that concerns others in the example', () => {
  const codes = analyze(POLICY).diagnostics.map(one => one.code);
  expect(codes).toEqual(expect.arrayContaining(['policy/unset-variable', 'policy/conflicting-actions']));
  expect(analyze(POLICY.replaceAll('deny', 'log')).diagnostics.map(one => one.code)).toContain(
    'policy/unhandled-traffic',
  );
});
