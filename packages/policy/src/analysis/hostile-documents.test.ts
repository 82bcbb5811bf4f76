import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { analyzePolicy } from './analyze-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

function codes(document: string): readonly string[] {
  const { diagnostics } = analyzePolicy(new SourceText('p', document), OPTIONS);
  for (const { range } of diagnostics) {
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeGreaterThanOrEqual(range.start);
    expect(range.end).toBeLessThanOrEqual(document.length);
  }
  return diagnostics.map(diagnostic => diagnostic.code);
}

const BOMB = Array.from(
  { length: 30 },
  (_, level) => `a${level}: &a${level} [${level ? `*a${level - 1}, *a${level - 1}` : 1}]`,
);
const MERGE_BOMB = Array.from(
  { length: 30 },
  (_, l) => `a${l}: &a${l} {<<: [${l ? `*a${l - 1}, *a${l - 1}` : ''}], k${l}: 1}`,
);

const PIECE = fc.constantFrom(
  ...'[]{}:,&*!|>\'"%@`#?- \n\t\r\\ax0~<'.split(''),
  'inbound',
  '&a',
  '*a',
  '<<',
  '---',
  '!!',
  '  ',
  'actions:',
  '\n- ',
);

const POLICY = `inbound:
- name: "a \\u0062"
  expressions: &e
  - 'req.Path == ''/a'' && res.StatusCode == 500'
  - >-
    req.Method in ["GET"] ||
      hasReqHeader("X")
  actions:
  - type: custom-response
    config: {status_code: 404, headers: {A: b}}
- {<<: {name: x}, expressions: *e, actions: [{type: log}]}
outbound: null
`;

describe('a hostile document', () => {
  it.each([
    ['aliases of aliases', BOMB.join('\n'), 'limit/document-nodes'],
    ['merges of merges', MERGE_BOMB.join('\n'), 'policy/unknown-key'],
    ['more text than allowed', ' '.repeat(1_000_001), 'limit/document-size'],
    ['deep lists', '['.repeat(1_000_000), 'limit/document-depth'],
    ['100 million characters', 'a'.repeat(100_000_000), 'limit/document-size'],
    ['a million brackets of JSON', '['.repeat(1_000_000), 'limit/document-depth'],
    ['texts behind each other', '"'.repeat(1_000_000), 'limit/document-nodes'],
    ['commas', `[${','.repeat(999_000)}`, 'limit/document-tokens'],
    ['tags on a line', '!a '.repeat(333_000), 'limit/document-tokens'],
    ['tags', '- !x\n'.repeat(5_000), 'limit/diagnostics'],
    ['documents', '--- a\n'.repeat(160_000), 'limit/document-tokens'],
    ['comments', '#\n'.repeat(500_000), 'limit/document-tokens'],
    ['comments in one place', `a: &a\n${' # c\n'.repeat(30_000)} b: 1`, 'policy/unknown-key'],
    ['escapes that are none', `"${'\\q'.repeat(100_000)}"`, 'limit/diagnostics'],
    [
      'many small maps that merge a large one',
      `a: &a\n${Array.from({ length: 6_000 }, (_, index) => ` k${index}: 1\n`).join('')}${Array.from({ length: 6_000 }, (_, index) => `c${index}: {<<: *a}\n`).join('')}`,
      'limit/document-nodes',
    ],
    ['deep maps', '{a: '.repeat(100_000), 'limit/document-depth'],
    ['deep compact lists', '- '.repeat(100_000), 'limit/document-depth'],
    ['deep explicit keys', '? '.repeat(100_000), 'limit/document-depth'],
    ['a cyclic anchor', 'inbound: &a [*a]', 'yaml/cyclic-alias'],
    ['an anchor inside its own value', 'inbound: &a {b: [*a]}', 'yaml/cyclic-alias'],
    ['an unknown alias', 'inbound: *a', 'yaml/unknown-alias'],
    ['a NUL', 'inbound: [a\0]', 'yaml/control-character'],
    ['what the parser uses among its tokens', 'inbound: [\u0002, \u0018, \u001f]', 'yaml/control-character'],
    ['a key given twice', 'inbound: []\ninbound: []', 'yaml/duplicate-key'],
    ['a JSON key given twice', '{"inbound": [], "inbound": []}', 'yaml/duplicate-key'],
    ['keys that are lists', '? [a]\n: b', 'yaml/key-type'],
    ['tabs as indentation', 'inbound:\n- name: a\n\tactions: []', 'yaml/tab-as-indent'],
    ['a second document', 'inbound: []\n---\ninbound: []', 'yaml/several-documents'],
    ['a tag', 'inbound: !x []', 'yaml/unknown-tag'],
    ['many problems', `inbound: [${'a, '.repeat(10_000)}]`, 'limit/diagnostics'],
    ['half a surrogate pair', 'inbound: ["\ud800"]', 'policy/wrong-type'],
    ['a prototype as key', '{"__proto__": {"inbound": []}}', 'policy/unknown-key'],
    ['many keys', Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join('\n'), 'limit/diagnostics'],
  ])('is reported at little cost: %s', (_, document, code) => {
    expect(codes(document)).toContain(code);
  });

  it('is read no further than where it exceeds a limit', () => {
    const { diagnostics } = analyzePolicy(new SourceText('p', '['.repeat(1_000_000)), OPTIONS);
    expect(diagnostics.map(one => one.range)).toEqual([{ start: 64, end: 65 }]);
  });

  it('rethrows unexpected errors unchanged', () => {
    const { stackTraceLimit } = Error;
    codes('inbound: [');
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  it('reports an expression that begins with `!` once, with a fix that quotes it', () => {
    const document =
      'inbound:\n- expressions:\n  - !hasReqHeader(\'X\') && !("a" in req.Headers)\n  actions: [{type: log}]';
    const { diagnostics } = analyzePolicy(new SourceText('p', document), OPTIONS);
    expect(diagnostics.map(diagnostic => diagnostic.code)).toEqual(['yaml/unknown-tag']);
    const { range, newText } = diagnostics[0]!.fixes![0]!.edits[0]!;
    expect(newText).toBe(`'!hasReqHeader(''X'') && !("a" in req.Headers)'`);
    expect(codes(document.slice(0, range.start) + newText + document.slice(range.end))).toEqual([]);
  });

  it('reports every parse error, not only the first', () => {
    const document =
      'inbound:\n- name: "a\\qb"\n  x: @y\n  actions: [{type: log}]\n- name: %z\n  actions: [{type: log}]\n';
    expect(codes(document)).toEqual([
      'yaml/bad-dq-escape',
      'policy/unknown-key',
      'yaml/bad-scalar-start',
      'yaml/bad-scalar-start',
    ]);
  });

  it('never throws on a mutated policy', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(POLICY.length), fc.nat(8), PIECE), { minLength: 1, maxLength: 4 }),
        changes => {
          codes(
            changes.reduce((text, [at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length), POLICY),
          );
        },
      ),
      { numRuns: inject('isDeep') ? 1000 : 8 },
    );
  });

  it('never throws on random text', () => {
    const text = fc.array(PIECE, { maxLength: 40 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 40 })), document => {
        codes(document);
      }),
      { numRuns: inject('isDeep') ? 1000 : 8 },
    );
  });
});
