import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { findPolicies } from './find-policies.ts';
import { isPlainPolicy } from './recognition.ts';

const RULES = "  - name: a # b\n    expressions: [a == 'b']\n    actions:\n      - type: deny\n";
const POLICY = `# head\non_http_request:\n${RULES}\non_http_response: # none\n# foot\n- actions: []\n`;
const EXAMPLES = readdirSync('examples/policies')
  .filter(file => file.endsWith('.yaml'))
  .map(file => readFileSync(join('examples/policies', file), 'utf8'));

describe('a policy is recognized by its margin', () => {
  it.each([
    ['with two phases', POLICY],
    ['with CR LF', POLICY.replaceAll('\n', '\r\n')],
    ['with `enabled`', `enabled: false\n${POLICY}`],
    ['with errors further inside', POLICY.replace("'b'", "'b")],
  ])('%s', (_, text) => {
    expect(isPlainPolicy(text)).toBe(true);
  });

  it.each([
    ['a list', RULES.replaceAll(/^ {2}/gm, '')],
    ['another key', `kind: Service\n${POLICY}`],
    ['a policy in a wrapper', `policy:\n  ${POLICY.replaceAll('\n', '\n  ')}`],
    ['a template', POLICY.replace('name: a', 'name: {{ .Values.name }}')],
    ['a second document', `${POLICY}---\n${POLICY}`],
    ['a phase without rules', 'on_http_request:\n  actions: deny\n'],
    ['nothing', ''],
  ])('but not %s', (_, text) => {
    expect(isPlainPolicy(text)).toBe(false);
  });

  it('only if reading it says so, too', () => {
    const piece = fc.constantFrom(
      ...'\n -:#"\'[]{}|>a&*!\t'.split(''),
      '\n- ',
      '\n  - ',
      '---\n',
      ' # c\n',
      'a: b\n',
      '',
    );
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), piece);
    fc.assert(
      fc.property(fc.constantFrom(POLICY, ...EXAMPLES), fc.array(change, { maxLength: 3 }), (policy, changes) => {
        const text = changes.reduce((before, [where, length, added]) => {
          const at = Math.floor(where * before.length);
          return before.slice(0, at) + added + before.slice(at + length);
        }, policy);
        if (!isPlainPolicy(text)) return;
        const found = findPolicies(new SourceText('a.yaml', text)).map(({ part, layers }) => [part, layers]);
        expect({ text, found }).toEqual({ text, found: [[undefined, []]] });
      }),
      { numRuns: inject('isDeep') ? 20_000 : 400 },
    );
  });
});
