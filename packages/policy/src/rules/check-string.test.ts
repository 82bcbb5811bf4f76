import { domainToASCII } from 'node:url';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';
import { decodePunycode } from './check-string.ts';

function analyze(text: string, uri = 'p.yaml') {
  return analyzePolicy(new SourceText(uri, text), { profile: MODERN, endpoint: 'http-endpoint' }).diagnostics;
}

/** The findings in a configuration: severity, code, marked source, and the first line of it after the fix. */
function found(type: string, config: string) {
  const before = `on_http_request:\n- actions:\n  - type: ${type}\n    config:\n      `;
  const text = `${before}${config.replaceAll('\n', '\n      ')}\n`;
  return analyze(text).map(({ severity, code, range, fixes }) => {
    const edit = fixes?.[0]?.edits[0];
    const fixed = edit && text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end);
    return [severity, code, text.slice(range.start, range.end), fixed?.slice(before.length).split('\n')[0]];
  });
}

describe('a configuration string', () => {
  it.each(['no', 'NO', 'on', 'Off', 'yes', '12:30', '2026-01-31', '1_000', '0b11'])(
    'reports a string that YAML 1.1 parsers read as another type: %s',
    word => {
      expect(found('redirect', `to: ${word}`)).toEqual([['info', 'yaml/ambiguous-text', word, `to: '${word}'`]]);
      expect(found('log', `metadata: {a: [${word}]}`)).toEqual([
        ['info', 'yaml/ambiguous-text', word, `metadata: {a: ['${word}']}`],
      ]);
      expect(found('redirect', `to: "${word}"`)).toEqual([]);
    },
  );

  it.each(['y', 'N', 'plain', '1.2.3.4', '${req.host}', 'https://example.com:8443/a', '::1', 'fe80::1'])(
    'accepts a string that all parsers read alike: %s',
    word => {
      expect(found('redirect', `to: ${word}`)).toEqual([]);
    },
  );

  it.each(['1.10', '012', '1e3', '0x1f', '1.0'])(
    'reports a number whose value looks different from its source: %s',
    number => {
      const value = String(Number(number));
      expect(found('log', `metadata: {a: ${number}}`)).toEqual([
        ['info', 'yaml/rewritten-number', number, `metadata: {a: '${number}'}`],
      ]);
      expect(found('redirect', `to: ${number}`)).toEqual([['error', 'config/wrong-type', number, `to: '${number}'`]]);
      expect(found('log', `metadata: {a: ${value}}`)).toEqual([]);
      expect(
        analyze(`{"on_http_request":[{"actions":[{"type":"log","config":{"metadata":{"a":1.10}}}]}]}`, 'p.json'),
      ).toEqual([]);
    },
  );

  it('proposes quotes around JSON only where any string is accepted', () => {
    const body = '{"a": 1}';
    expect(found('custom-response', `body: ${body}`)).toEqual([
      ['error', 'config/wrong-type', body, `body: '${body}'`],
    ]);
    const pair = '{user: ada, password: correct-horse}';
    expect(found('basic-auth', `credentials: [${pair}]`)).toEqual([['error', 'config/wrong-type', pair, undefined]]);
  });

  it.each([
    ['to: |\n  https://e.co', '|', 'to: |-'],
    ['to: >+\n  https://e.co\n\n', '>+', 'to: >-'],
    ['to: |2\n  https://e.co', '|2', 'to: |2-'],
  ])('reports a final line break outside of bodies: %j', (config, marked, fixed) => {
    expect(found('redirect', config)).toEqual([['warning', 'yaml/trailing-line-break', marked, fixed]]);
  });

  it.each([
    ['redirect', 'to: |-\n  https://e.co'],
    ['custom-response', 'body: |\n  hello'],
    ['log', 'metadata:\n  a: |\n    hello'],
    ['terminate-tls', 'server_certificate: |\n  -----BEGIN\n  -----END'],
  ])('accepts a final line break in a body: %s %j', (type, config) => {
    expect(found(type, config).filter(([, code]) => String(code).startsWith('yaml/'))).toEqual([]);
  });

  it.each([
    ['deny: [192.0.2.0/24]\nallow:\n- fe80::', 'fe80::'],
    ['allow:\n- a: b', 'a: b'],
  ])('reports a string that a colon turns into a map: %j', (config, marked) => {
    const [first, ...others] = found('restrict-ips', config);
    expect(first?.slice(0, 3)).toEqual(['error', 'config/colon-in-text', marked]);
    expect(others).toEqual([]);
  });
});

describe('invisible content of a document', () => {
  const RULE = 'actions: [{type: log}]';

  it.each([
    [`a: &a {name: x}\n`, '<<: 5', [['error', 'yaml/bad-merge', '5']]],
    [`a: &a {name: x}\n`, '<<: [*a, x]', [['error', 'yaml/bad-merge', 'x']]],
    [`a: &a {name: x}\n`, '<<:', [['error', 'yaml/bad-merge', '<<']]],
    [`a: &a {name: x}\n`, '"<<": *a', [['error', 'policy/unknown-key', '<<']]],
    [`a: &a {name: x}\nb: &b {name: y}\n`, '<<: [*a, *b]', [['info', 'yaml/hidden-key', 'name']]],
    [`a: &a {name: x}\n`, '<<: [*a, *a]', []],
    [`a: &a {name: x}\n`, '<<: *a\n  name: z', []],
  ])('reports merges: %s%s', (anchors, merge, expected) => {
    const text = `${anchors}on_http_request:\n- ${merge}\n  ${RULE}\n`;
    const diagnostics = analyze(text).filter(({ range }) => !['a', 'b'].includes(text.slice(range.start, range.end)));
    expect(diagnostics.map(one => [one.severity, one.code, text.slice(one.range.start, one.range.end)])).toEqual(
      expected,
    );
  });

  it('reports a byte order mark that is not at the start', () => {
    const text = `\ufeffon_http_request:\n- name: "a\ufeffb"\n  ${RULE}\n`;
    const [mark, ...others] = analyze(text);
    expect([mark?.severity, mark?.code, mark?.range, others]).toEqual([
      'error',
      'yaml/byte-order-mark',
      { start: text.lastIndexOf('\ufeff'), end: text.lastIndexOf('\ufeff') + 1 },
      [],
    ]);
  });
});

describe('a label in Punycode', () => {
  it.each([
    ['bcher-kva', 'bücher'],
    ['mnchen-3ya', 'münchen'],
    ['fiq228c5hs', '中文网'],
    ['ls8h', '💩'],
  ])('decodes %s to %s', (text, expected) => {
    expect(decodePunycode(text)).toBe(expected);
  });

  it.each(['', 'abc-', '99999999999', 'a!b', 'zz-zz-99'])('rejects %j', text => {
    expect(decodePunycode(text)).toBeUndefined();
  });

  it('decodes what the URL parser encoded', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'ü', 'ß', 'ж', '中', '한', 'ō'), minLength: 1, maxLength: 12 }),
        text => {
          const label = domainToASCII(text);
          if (label.startsWith('xn--')) expect(decodePunycode(label.slice(4))).toBe(text.normalize('NFC'));
        },
      ),
    );
  });
});
