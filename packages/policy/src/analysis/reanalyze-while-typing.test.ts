import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText, type TextEdit } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { type Analysis, analyzePolicy, readingsOf } from './analyze-policy.ts';
import { reanalyzeWhileTyping } from './reanalyze-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

const RULE = (name: string) => `  - name: ${name}
    expressions:
      - "req.Path == '/${name}'"
    actions:
      - type: deny
`;
const POLICY = `inbound:\n${RULE('a')}${RULE('b')}  # of c\n${RULE('c')}enabled: false\n`;
const LAYOUTS = [
  ['LF', POLICY],
  ['CR LF', POLICY.replaceAll('\n', '\r\n')],
] as const;

const analyze = (text: string): Analysis => analyzePolicy(new SourceText('p', text), OPTIONS);
const shown = ({ diagnostics, parts }: Analysis) =>
  diagnostics.map(({ code, range }) => `${code} ${parts.source.text.slice(range.start, range.end)}`);

/** All but the bound on how many values there are, which grows with every edit. */
function comparable({ environments: _, parts: { size: __, rules, ...parts }, ...rest }: Analysis): unknown {
  return { ...rest, parts: { ...parts, rules: readingsOf(rules) } };
}

function replace(analysis: Analysis, found: string, newText: string): Analysis {
  const start = analysis.parts.source.text.indexOf(found);
  const edit: TextEdit = { range: { start, end: start + found.length }, newText };
  return reanalyzeWhileTyping(analysis, edit, OPTIONS);
}

describe.each(LAYOUTS)('while typing in a document with %s', (_, policy) => {
  it('reads a rule with an open quote apart from the others, until the quote is closed', () => {
    const open = replace(analyze(policy), '/b\'"', "/b'");
    expect(open.parts.bridged).toEqual([1]);
    expect(open.policy!.rules.inbound.map(one => one.name?.value)).toEqual(['a', 'b', 'c']);
    expect(shown(open).map(one => one.split(' ')[0])).toEqual(['yaml/missing-char']);
    const closed = replace(open, "/b'", '/b\'"');
    expect(comparable(closed)).toEqual(comparable(analyze(policy)));
  });

  it('reads several rules apart, until all of them are closed', () => {
    const first = replace(analyze(policy), '/b\'"', "/b'");
    const both = replace(first, '/a\'"', "/a'");
    expect(both.parts.bridged).toEqual([1, 0]);
    const third = replace(both, 'name: c', 'name: d');
    expect(third.parts.bridged).toEqual([1, 0]);
    expect(third.policy!.rules.inbound.map(one => one.name?.value)).toEqual(['a', 'b', 'd']);
    const closed = replace(replace(third, "/a'", '/a\'"'), "/b'", '/b\'"');
    expect(closed.parts.bridged).toBeUndefined();
  });

  it('reads a new rule apart whose first key is half typed, character by character', () => {
    let analysis = replace(analyze(policy), '  # of c', '  -\n    actions: [type: deny]\n  # of c');
    let at = analysis.parts.source.text.indexOf('  -\n') + '  -'.length;
    for (const [index, newText] of [...' name'].entries()) {
      analysis = reanalyzeWhileTyping(analysis, { range: { start: at, end: at }, newText }, OPTIONS);
      at += 1;
      expect(analysis.policy!.rules.inbound[3]!.name?.value).toBe('c');
      expect(analysis.parts.bridged).toEqual(index > 0 ? [2] : undefined);
    }
    const named = replace(analysis, '- name\n', '- name: e\n');
    expect(comparable(named)).toEqual(comparable(analyze(named.parts.source.text)));
  });

  it('reads a new rule and numbers those after it', () => {
    const after = replace(analyze(policy), '  # of c', `${RULE('new')}  # of c`);
    expect(comparable(after)).toEqual(comparable(analyze(after.parts.source.text)));
    expect(after.policy!.rules.inbound.map(one => one.index)).toEqual([0, 1, 2, 3]);
  });

  it('agrees with the analysis of the whole text whenever no rule is read apart', () => {
    const piece = fc.constantFrom(...'"\'[{: -#a|>'.split(''), '', '', '\n', '\n  - ', '\r\n', '\n      - type: log');
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), piece);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), changes => {
        let analysis = analyze(policy);
        for (const [where, length, newText] of changes) {
          const { text } = analysis.parts.source;
          const start = Math.floor(where * text.length);
          const edit = { range: { start, end: Math.min(start + length, text.length) }, newText };
          analysis = reanalyzeWhileTyping(analysis, edit, OPTIONS);
          if (analysis.parts.bridged === undefined)
            expect(comparable(analysis)).toEqual(comparable(analyze(analysis.parts.source.text)));
        }
      }),
      { numRuns: inject('isDeep') ? 2500 : 25 },
    );
  });
});
