import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { updateJson } from './update-json.ts';

function updated(text: string, ...steps: readonly string[]): string | undefined {
  return updateJson(new SourceText('edge.json', text), { document: undefined, steps }, { a: [1] });
}

describe('updateJson', () => {
  it.each([
    [
      'a part',
      '{ "x": 1.0,\n  "policy" : {"b":2 } ,"y":[ ]}\n',
      '{ "x": 1.0,\n  "policy" : {\n    "a": [\n      1\n    ]\n  } ,"y":[ ]}\n',
    ],
    ['a part with tabs', '{\n\t"policy": 5\n}', '{\n\t"policy": {\n\t\t"a": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    [
      'CRLF line breaks',
      '{\r\n "policy": 5,\r\n "\\u0061": 1e3\r\n}',
      '{\r\n "policy": {\r\n  "a": [\r\n   1\r\n  ]\r\n },\r\n "\\u0061": 1e3\r\n}',
    ],
    [
      'a missing key',
      '{\n    "x": 1\n}\n',
      '{\n    "x": 1,\n    "policy": {\n        "a": [\n            1\n        ]\n    }\n}\n',
    ],
    ['a missing key on one line', '{"x": 1}', '{"x": 1, "policy": {\n  "a": [\n    1\n  ]\n}}'],
    ['an empty text', '', '{\n  "policy": {\n    "a": [\n      1\n    ]\n  }\n}\n'],
    ['a null on the way', 'null', '{\n  "policy": {\n    "a": [\n      1\n    ]\n  }\n}'],
    ['an empty map', '{}\n', '{\n  "policy": {\n    "a": [\n      1\n    ]\n  }\n}\n'],
  ])('changes nothing but %s', (_, text, expected) => {
    expect(updated(text, 'policy')).toBe(expected);
  });

  it('changes an item of a list, and adds missing maps on the way', () => {
    const text = '{"list": [{"k": 0}, {"k": 1}]}';
    expect(JSON.parse(updated(text, 'list', '1', 'spec', 'policy')!)).toEqual({
      list: [{ k: 0 }, { k: 1, spec: { policy: { a: [1] } } }],
    });
    expect(JSON.parse(updated(text, 'list', '0')!)).toEqual({ list: [{ a: [1] }, { k: 1 }] });
  });

  it.each([
    ['a text with errors', '{"policy": '],
    ['a scalar on the way', '{"policy": 1}'],
    ['a list without such an item', '{"policy": []}'],
  ])('rejects %s', (_, text) => {
    expect(updated(text, 'policy', 'inner')).toBeUndefined();
  });
});
