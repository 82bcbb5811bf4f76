import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createPhaseEnvironments, formatPolicy, parsePartPath } from '@tollgate/policy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { runs } from '../support/runs.ts';
import { messyJson, messyPolicy } from './messy-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
  width: 60,
} as const;

function format(uri: string, text: string, at?: string): string | undefined {
  const part = at === undefined ? undefined : parsePartPath(at)!;
  return formatPolicy(new SourceText(uri, text), { ...OPTIONS, ...(part && { part }) }).text;
}

const PLACES = [
  {
    at: '/spec/policy',
    before: 'kind:   Edge   # odd\nspec:\n    "policy":\n',
    after: '    other: [1,2]\nmore:  {a: 1}\n',
  },
  { at: '2/spec/policy', before: 'a:   1\n---\nspec:\n  policy:   # here\n', after: '...\n---\nb:   [ 1 ]\n' },
  { at: '/0/policy', before: '-   policy:\n', after: "- policy: 'a'\n" },
  { at: '/list/1', before: 'list:\n- x\n-\n', after: '-   y\n' },
  { at: '1', before: '%YAML 1.2\n---   # top\n', after: '---\nz:   0\n' },
] as const;

/** The lines deeper by so many spaces. */
function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=[^\r\n])/gm, ' '.repeat(by));
}

test('a part of a larger document is formatted as if it were alone, and everything else stays unchanged', () => {
  fc.assert(
    fc.property(messyPolicy, fc.constantFrom(...PLACES), fc.integer({ min: 6, max: 9 }), (policy, place, column) => {
      fc.pre(parseDocument(policy.text).errors.length === 0 && format('p', policy.text) !== undefined);
      const by = place.at === '1' ? 0 : column;
      const lineBreak = policy.text.includes('\r\n') ? '\r\n' : '\n';
      const [before, after] = [place.before, place.after].map(text => text.replaceAll('\n', lineBreak)) as [
        string,
        string,
      ];
      const whole = before + indented(policy.text.replaceAll(/\r?\n/g, lineBreak), by) + after;
      fc.pre(parseDocument(whole).errors.length === 0 || place.at === '1' || place.at.startsWith('2'));
      const formatted = format('p', whole, place.at);
      fc.pre(formatted !== undefined);
      expect(formatted!.startsWith(before)).toBe(true);
      expect(formatted!.endsWith(after)).toBe(true);
      expect(formatted!.match(/# comment \d+/g)?.toSorted() ?? []).toEqual(policy.comments.toSorted());
      expect(format('p', formatted!, place.at)).toBe(formatted);
    }),
    { numRuns: runs(6, 200) },
  );
});

test('a part of a JSON document is formatted, and everything else stays unchanged', () => {
  fc.assert(
    fc.property(messyJson, text => {
      const [before, after] = ['{"a" :1,"spec":{\t"policy":', ' } ,"b":[ ]}'];
      const alone = format('p.json', text);
      const formatted = format('p.json', before + text + after, '/spec/policy');
      expect(formatted === undefined).toBe(alone === undefined);
      if (formatted === undefined) return;
      expect([formatted.slice(0, before.length), formatted.slice(-after.length)]).toEqual([before, after]);
      expect(JSON.parse(formatted.slice(before.length, -after.length))).toEqual(JSON.parse(alone!));
    }),
  );
});
