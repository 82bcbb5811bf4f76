import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { type FormattedPolicy, formatPolicy } from './format-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

function format(text: string, width = 60): FormattedPolicy {
  return formatPolicy(new SourceText('p.yaml', text), { ...OPTIONS, width });
}

/** The lines that a configuration of one key is written as. */
function config(text: string, width?: number): string {
  const document = `inbound:\n- actions:\n  - type: log\n    config:\n      ${text.replaceAll('\n', '\n      ')}\n`;
  const lines = format(document, width).text!.split('\n').slice(4, -1);
  return lines.map(line => line.slice(10)).join('\n');
}

function expressions(text: string): string {
  const document = `inbound:\n- expressions:\n  ${text.replaceAll('\n', '\n  ')}\n  actions: [type: log]\n`;
  const lines = format(document).text!.split('\n').slice(2, -3);
  return lines.map(line => line.slice(6)).join('\n');
}

describe('the order of keys', () => {
  it('follows the order in which a policy is read, with unknown keys last', () => {
    const text =
      'x: 1\n\noutbound: [] # o\n# i\ninbound:\n- actions: [{config: {b: 1, a: 2}, type: log}]\n  y: 2\n  # e\n  expressions: []\n  name: n\nenabled: true\n';
    expect(format(text).text).toBe(
      [
        ...['enabled: true', '# i', 'inbound:', '  - name: n', '    # e', '    expressions: []', '    actions:'],
        ...[
          '      - type: log',
          '        config:',
          '          b: 1',
          '          a: 2',
          '    y: 2',
          '',
          'outbound: [] # o',
        ],
        ...['', 'x: 1', ''],
      ].join('\n'),
    );
  });

  it('stays where an alias would lose its anchor', () => {
    const text = 'outbound:\n  - &r\n    actions:\n      - type: log\ninbound:\n  - *r\n';
    expect(format(text).text).toBe(text);
  });

  it('puts merged maps first', () => {
    expect(format('inbound:\n- &r {actions: [type: log]}\n- {name: b, <<: *r}\n').text).toBe(
      'inbound:\n  - &r\n    actions:\n      - type: log\n  - <<: *r\n    name: b\n',
    );
  });
});

describe('strings', () => {
  it.each([
    ["a: 'x y'", 'a: x y'],
    ['a: "true"', 'a: "true"'],
    ["a: 'no'", 'a: "no"'],
    ["a: '1_000'", 'a: "1_000"'],
    ["a: '2024-01-01'", 'a: "2024-01-01"'],
    ['a: 0x1F', 'a: 0x1F'],
    ['a: ~', 'a: ~'],
    ['a:', 'a:'],
    ["a: 'b: c'", 'a: "b: c"'],
    ['a: \'b: "c"\'', 'a: \'b: "c"\''],
    ['a: "b: \\"c\\" \'d\' \'e\'"', "a: 'b: \"c\" ''d'' ''e'''"],
    ["a: '::1'", 'a: "::1"'],
    ['a: "\\t\\u0007\\u2028\\ufeff"', 'a: "\\t\\u0007\\u2028\\ufeff"'],
    ["'a b': c", 'a b: c'],
    ["'on': c", '"on": c'],
    ['? a\n: b', 'a: b'],
    ['a: !!str 5', 'a: !!str 5'],
    ['a: &x "b"', 'a: &x b'],
    ['a: "one\\n two\\n"', 'a: |\n  one\n   two'],
    ['a: " one\\ntwo"', 'a: |2-\n   one\n  two'],
    ['a: "one\\n\\n"\nb: 1', 'a: |+\n  one\n\nb: 1'],
    ['a: "one\\n  "', 'a: "one\\n  "'],
    ['a: >\n  one\n  two\n\n  three\n', 'a: |\n  one two\n  three'],
  ])('%j', (text, formatted) => {
    expect(config(text)).toBe(formatted);
  });

  it('stay folded if they are too long for a line, and are not folded if they were on one', () => {
    expect(config('a: >-\n  one two three\n  four five\n\n  six', 30)).toBe(
      'a: >-\n  one two three four\n  five\n\n  six',
    );
    expect(config(`a: ${'word '.repeat(9)}end`, 30)).toBe(`a: ${'word '.repeat(9)}end`);
  });
});

describe('brackets', () => {
  it.each([
    ['a: [b,  "c, d", 1]', 'a: [b, "c, d", 1]'],
    ['a: [b, # c\n  d]', 'a:\n  - b # c\n  - d'],
    ['a: [b, [c]]', 'a:\n  - b\n  - [c]'],
    ['a: {b: c}', 'a:\n  b: c'],
    ['a: [b: c]', 'a:\n  - b: c'],
    ['a: [ # none\n  ]', 'a: [] # none'],
    ['a: {}', 'a: {}'],
    [
      'a: [aaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbb, ccc]',
      'a:\n  - aaaaaaaaaaaaaaaaaaaaaaa\n  - bbbbbbbbbbbbbbbbbbbbbbbbbb\n  - ccc',
    ],
  ])('%j', (text, formatted) => {
    expect(config(text)).toBe(formatted);
  });
});

describe('expressions', () => {
  it.each([
    ['- req.Path=="/a"', "- req.Path == '/a'"],
    ["- '!a'", '- "!a"'],
    ['- |\n  a &&\n  b', '- a && b'],
    ['- true', '- true'],
    ['- "true"', '- "true"'],
    [
      "- req.Path == '/aaaaaaaaaaaaaaa' && req.Method == 'GET' && b",
      "- >-\n  req.Path == '/aaaaaaaaaaaaaaa' &&\n  req.Method == 'GET' &&\n  b",
    ],
    ['- |-\n  a && // why\n  b', '- |-\n  a && // why\n  b'],
    ['- a // why', '- a // why'],
    ["- |\n  a  == '''x\n\n    y'''", "- |-\n  a == '''x\n\n    y'''"],
  ])('%j', (text, formatted) => {
    expect(expressions(text)).toBe(formatted);
  });

  it('stay unchanged if an alias uses them as plain strings', () => {
    const text = 'inbound:\n  - name: &n a==b\n    expressions:\n      - *n\n    actions:\n      - type: log\n';
    expect(format(text).text).toBe(text);
  });
});

describe('documents', () => {
  it('keep their markers, directives and comments', () => {
    const text =
      '%YAML 1.2\n# head\n--- # first\ninbound: []\n# foot\n...\n# between\n%YAML 1.2\n---\n# second\noutbound: []\n--- {enabled: false}\n';
    expect(format(text).text).toBe(
      '%YAML 1.2\n# head\n--- # first\ninbound: []\n# foot\n...\n%YAML 1.2\n# between\n---\n# second\noutbound: []\n---\nenabled: false\n',
    );
  });

  it('may be strings at the margin', () => {
    expect(format('inbound: []\n--- >\na\nb\n').text).toBe('inbound: []\n---\n|\n  a b\n');
  });

  it('keep their line breaks, and lose a byte order mark', () => {
    expect(format('\ufeffinbound:  []\r\nenabled: true\r\n').text).toBe('enabled: true\r\ninbound: []\r\n');
  });

  it('are formatted with the request around them', () => {
    expect(format('policy: {outbound: [], inbound: []}').text).toBe('policy:\n  inbound: []\n  outbound: []\n');
  });

  it('in JSON stay JSON', () => {
    const text =
      '{"outbound":[],"inbound":[{"actions":[{"config":{"a":["\\u0062",1e3],"b":{}},"type":"log"}],"expressions":["a\\n==\\"b\\"", "c"]}]}';
    const lines = [
      ...[
        '{',
        '  "inbound": [',
        '    {',
        '      "expressions": ["a == \'b\'", "c"],',
        '      "actions": [',
        '        {',
      ],
      ...[
        '          "type": "log",',
        '          "config": {',
        '            "a": ["\\u0062", 1e3],',
        '            "b": {}',
      ],
      ...['          }', '        }', '      ]', '    }', '  ],', '  "outbound": []', '}', ''],
    ];
    expect(format(text).text).toBe(lines.join('\n'));
  });

  it.each([
    ['broken YAML', 'inbound: [', 'yaml/bad-indent'],
    ['a key twice', 'inbound: []\ninbound: []', 'yaml/duplicate-key'],
    [
      'an expression with a syntax error',
      'inbound: [{expressions: [a ==], actions: [type: log]}]',
      'syntax/unexpected-token',
    ],
    ['a map that is not a policy', '{"name": "x"}', 'policy/unknown-key'],
    ['a string at the margin', '|\na\n', 'policy/wrong-type'],
    ['nothing', '# only a comment\n', 'policy/empty-document'],
  ])('are rejected: %s', (_, text, code) => {
    const { text: formatted, diagnostics } = format(text);
    expect([formatted, [...new Set(diagnostics.map(one => one.code))]]).toEqual([undefined, [code]]);
  });

  it('are formatted with very many entries and comments', () => {
    const text = `inbound: []\n${'# foot\n'.repeat(inject('isDeep') ? 100_000 : 20_000)}`;
    expect(format(text).text).toBe(text);
    const items = Array<string>(inject('isDeep') ? 30_000 : 2_000)
      .fill('          - x # c')
      .join('\n');
    const list = `inbound:\n  - actions:\n      - type: log\n        config:\n${items}\n`;
    expect(format(list).text).toBe(list);
  });

  it('are formatted in spite of other errors', () => {
    expect(format('inbound: [{actions: [type: dney], expressions: [a.b]}]').text).toBe(
      'inbound:\n  - expressions:\n      - a.b\n    actions:\n      - type: dney\n',
    );
  });
});

it('formats any text or says why not, and formatting again changes nothing', () => {
  const piece = fc.constantFrom(
    ...'[]{}:,|>\'"#-&*!? \na'.split(''),
    ...[
      '  ',
      '\n- ',
      '\n  ',
      'a: b',
      '- |\n',
      '>-\n',
      '|\n',
      '|+\n  ',
      ' # c\n',
      '\r\n',
      '\n---\n',
      '--- >\n',
      '%YAML 1.2\n',
    ],
    ...[
      'inbound:',
      'name: ',
      'expressions:',
      'actions: [type: log]',
      '\n  - name: x',
      '&a ',
      '*a',
      '<<: ',
      '${',
      '\ud800',
    ],
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map(parts => `inbound: []\n${parts.join('')}`);
  fc.assert(
    fc.property(text, one => {
      const formatted = format(one).text;
      if (formatted !== undefined) expect(format(formatted).text).toBe(formatted);
    }),
    { numRuns: inject('isDeep') ? 50_000 : 500 },
  );
});
