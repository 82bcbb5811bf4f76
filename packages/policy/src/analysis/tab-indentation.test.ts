import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { applyEdits } from '../document/edits.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { analyzePolicy } from './analyze-policy.ts';

const OPTIONS = {
  profile: MODERN,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(MODERN, 'https-route'),
} as const;

const analyze = (text: string) => analyzePolicy(new SourceText('p', text), OPTIONS);

/** One finding of each kind that a document can have after the first few lines. */
const BROKEN = `# a comment
on_http_request:
  - name: scanners
    expressions:
      - req.urll.path == '/wp-login.php'
      - req.method == 5
    actions:
      - type: denyy
  - name: teapots
    expression:
      - 'true'
    actions:
      - type: custom-response
        config:
          status_code: 99
          body: |
            <html>
            \tindented
            </html>
      - type: set-vars
        config:
          vars:
            - a: "\${req.hst}"
on_http_response:
  - actions:
      - type: log
        config: { metadata: { a: [1, 2] } }
`;

/** Each finding with the text that it marks, without white space. */
function found(text: string): readonly string[] {
  return analyze(text).diagnostics.flatMap(({ code, range, message }) =>
    code === 'yaml/tab-as-indent'
      ? []
      : [`${code} ${text.slice(range.start, range.end).replaceAll(/\s+/g, ' ')}: ${message}`],
  );
}

/** Indents the chosen lines by tabs of a width; lines of a block scalar keep their spaces. */
function withTabs(text: string, width: number, isChosen: (line: number) => boolean): string {
  const isContent = (line: string) => /^ {12}(?:<|\t)/.test(line);
  return text
    .split('\n')
    .map((line, index) => {
      const columns = /^ */.exec(line)![0].length;
      if (columns < width || isContent(line) || !isChosen(index)) return line;
      const tabs = '\t'.repeat(Math.floor(columns / width));
      return tabs + ' '.repeat(columns % width) + line.trimStart();
    })
    .join('\n');
}

describe('tabs in the indentation', () => {
  it('are reported once, and hide nothing of the document', () => {
    const text = BROKEN.replace('      - req.method', '\t  - req.method');
    const { diagnostics } = analyze(text);
    const tabs = diagnostics.filter(({ code }) => code === 'yaml/tab-as-indent');
    expect(tabs.map(({ message, range }) => [message, text.slice(range.start, range.end)])).toEqual([
      ['tab used for indentation; use spaces', '\t  '],
    ]);
    expect(found(text)).toEqual(found(BROKEN));
    expect(found(BROKEN).map(one => one.split(' ')[0])).toEqual([
      'name/undeclared-field',
      'type/no-matching-overload',
      'policy/unknown-action',
      'policy/unknown-key',
      'config/out-of-range',
      'policy/unreachable-action',
      'name/undeclared-field',
    ]);
  });

  it.each([2, 4, 8])('hide nothing if every line has them, %s wide', width => {
    const text = withTabs(BROKEN, width, () => true);
    expect(found(text)).toEqual(found(BROKEN));
    expect(analyze(text).diagnostics.filter(({ code }) => code.startsWith('yaml/'))).toHaveLength(1);
  });

  it('hide nothing on whatever line they are', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }), fc.constantFrom(4, 8), (chosen, width) => {
        const text = withTabs(BROKEN, width, line => chosen[line] === true);
        if (text !== BROKEN) expect(found(text)).toEqual(found(BROKEN));
      }),
      { numRuns: inject('isDeep') ? 5000 : 100 },
    );
  });

  it('are replaced by the fix, which leaves the other findings', () => {
    const text = withTabs(BROKEN, 4, line => line % 3 > 0);
    const [fix] = analyze(text).diagnostics.find(({ code }) => code === 'yaml/tab-as-indent')!.fixes!;
    expect(applyEdits(text, fix!.edits)).toBe(BROKEN);
  });

  it('are not believed where their width decides what belongs together', () => {
    const text = 'on_http_request:\n  - name: a\n\tactions:\n   - type: denyy\n';
    expect(analyze(text).diagnostics.map(({ code }) => code)).toEqual(['yaml/tab-as-indent', 'yaml/bad-indent']);
  });

  it('stay in the string of a block scalar', () => {
    const text = BROKEN.replace('      - type: denyy', '\t  - type: denyy');
    const tabs = analyze(text).diagnostics.filter(({ code }) => code === 'yaml/tab-as-indent');
    expect(tabs.flatMap(({ fixes }) => fixes!.flatMap(({ edits }) => edits))).toHaveLength(1);
  });
});
