/** Formatting must not change what a template means: whatever replaces the placeholders, the document before and after is read alike. */
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { formatPolicy } from './format-policy.ts';

/** The spellings of a placeholder, by template language. */
const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  // What a file of Terraform is read with.
  terraform: () => 'placeholder_.h0_',
  templatefile: name => `\${${name}}`,
  envsubst: name => `$${name.toUpperCase()}`,
  go: name => `{{ .${name} }}`,
  jinja: name => `{{ ${name} }}`,
  erb: name => `<%= ${name} %>`,
};

/** Values as people and attackers fill them in. */
const HOSTILE = [
  'plain',
  '',
  ' ',
  'a: b',
  'a #b',
  '- a',
  '"',
  "'",
  "it's",
  '\\',
  '\\n',
  'a\nb',
  '\n',
  ', b',
  ']',
  '}',
  '{a: 1}',
  '[a]',
  '*a',
  '&a',
  '!a',
  '%',
  '@',
  '`',
  'null',
  'true',
  '12',
  '0x1f',
  '2026-01-01',
  '>',
  '|',
  '? a',
  'a:',
  ':',
  '~',
  '\t',
  'é',
  "'; x: '",
  '"\n  y: "',
  '...',
  '---',
];

/** Where a placeholder may be, in each style. */
const PLACES: readonly ((hole: string) => string)[] = [
  hole => hole,
  hole => `"${hole}"`,
  hole => `'${hole}'`,
  hole => `"before ${hole} after"`,
  hole => `'before ${hole} after'`,
  hole => `before ${hole} after`,
  hole => `|\n              ${hole}\n              more`,
  hole => `|-\n              ${hole}`,
  hole => `>-\n              some ${hole}\n              more`,
  hole => `>\n              ${hole}`,
  hole =>
    `"a long text that does not fit on one line of the width that is given, because of ${hole} and of many other words"`,
  hole =>
    `a long text that does not fit on one line of the width that is given, because of ${hole} and of many other words`,
  hole => `{ "a": "${hole}" }`,
  hole => `{ a: ${hole} }`,
  hole => `[${hole}, 'x']`,
  hole => `["${hole}", x]`,
];

const policyOf = (name: string, condition: string, value: string) => `on_http_request:
  - name:   ${name}
    expressions: [ "req.method == 'GET'" ]
    actions:
    - type:   "log"
      config:
          metadata:
            first:    ${value}
            "second":   'plain'
  - expressions:
      - ${condition}
    actions: [ {type: deny} ]
`;

/** What a text is read as; an error is one reading. */
function reading(text: string): string {
  try {
    const documents = parseAllDocuments(text);
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return 'error';
    return JSON.stringify(documents.map(one => one.toJS()));
  } catch {
    return 'error';
  }
}

const RUNS = inject('isDeep') ? 300 : 60;

describe('formatting a template', () => {
  it.each(Object.keys(SPELLINGS))('of %s keeps what it means for every value', language => {
    const hole = SPELLINGS[language]!('name');
    const place = fc.constantFrom(...PLACES);
    let formatted = 0;
    fc.assert(
      fc.property(
        fc.tuple(place, place, place),
        fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 4 }),
        ([a, b, c], values) => {
          const condition = `"req.url.path == '/${hole}'"`;
          const name = a(hole).includes('\n') ? 'x' : a(hole);
          const before = policyOf(name, b(hole).startsWith('"') ? b(hole) : condition, c(hole));
          const { text } = formatPolicy(new SourceText('p.yaml', before), {
            profile: MODERN,
            endpoint: 'http-endpoint',
            width: 80,
          });
          if (text === undefined) return;
          formatted += 1;
          for (const value of values)
            expect([value, reading(text.replaceAll(hole, () => value))]).toEqual([
              value,
              reading(before.replaceAll(hole, () => value)),
            ]);
        },
      ),
      { numRuns: RUNS },
    );
    expect(formatted).toBeGreaterThan(RUNS / 3);
  });

  it('formats everything around placeholders', () => {
    const before = policyOf('"${name}"', `"req.url.path == '\${path}'"`, "'${value}'");
    const { text } = formatPolicy(new SourceText('p.yaml', before), {
      profile: MODERN,
      endpoint: 'http-endpoint',
      width: 100,
    });
    expect(text).toBe(`on_http_request:
  - name: "\${name}"
    expressions:
      - req.method == 'GET'
    actions:
      - type: log
        config:
          metadata:
            first: '\${value}'
            second: plain
  - expressions:
      - "req.url.path == '\${path}'"
    actions:
      - type: deny
`);
  });
});
