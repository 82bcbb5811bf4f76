import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { describe, expect, it } from 'vitest';
import { hasSameContent } from './reading-difference.ts';
import { readSyntax, SourceLines } from './syntax-tree.ts';

const isSame = (before: string, after: string, profile: Profile = EDGE_V2) => {
  const [was, is] = [before, after].map(text => readSyntax(new SourceLines(text)));
  return hasSameContent(was!, is!, { profile });
};
const rule = (lines: string) => `inbound:\n  - ${lines.replaceAll('\n', '\n    ')}\n`;

describe('two files have the same content', () => {
  it.each([
    ['with other quotes', rule('name: a'), rule('name: "a"')],
    ['with other indentation', 'inbound:\n- name: a\n', rule('name: a')],
    ['with the keys of a rule in another order', rule('name: a\nactions: []'), rule('actions: []\nname: a')],
    ['with another layout of expressions', rule('expressions: [a==b]'), rule('expressions:\n- a == b')],
    ['with comments elsewhere', '# a\ninbound: [] # b\n', 'inbound: [] # a\n# b\n'],
  ])('%s', (_, before, after) => {
    expect([isSame(before, after), isSame(after, before)]).toEqual([true, true]);
  });

  it('with another layout of interpolations', () => {
    const filled = (value: string) =>
      `on_http_request:\n  - actions: [{type: custom-response, config: {body: "${value}"}}]\n`;
    expect(isSame(filled('${ a==b }'), filled('${a == b}'), MODERN)).toBe(true);
    expect(isSame(filled('${ a==b }'), filled('${a != b}'), MODERN)).toBe(false);
  });

  it.each([
    ['another value', rule('name: a'), rule('name: b')],
    ['a number for a string', rule('name: "1"'), rule('name: 1')],
    ['a value more', rule('name: a'), rule('name: a\nactions: []')],
    ['items in another order', 'inbound: [a, b]\n', 'inbound: [b, a]\n'],
    [
      'keys of a configuration in another order',
      rule('actions: [{config: {a: 1, b: 2}}]'),
      rule('actions: [{config: {b: 2, a: 1}}]'),
    ],
    ['another expression', rule('expressions: [a == b]'), rule('expressions: [a != b]')],
    ['other white space in a string', rule('name: a  b'), rule('name: a b')],
    ['a lost comment', 'inbound: [] # a\n', 'inbound: []\n'],
    ['another comment', 'inbound: [] # a\n', 'inbound: [] # b\n'],
    ['another anchor', 'inbound: &a []\n', 'inbound: &b []\n'],
    ['another alias', 'a: &a 1\nb: &b 1\nc: *a\n', 'a: &a 1\nb: &b 1\nc: *b\n'],
    ['a tag', 'a: 1\n', 'a: !!str 1\n'],
    ['a map for a list', 'a: {}\n', 'a: []\n'],
    ['nothing', 'a: b\n', 'a:\n'],
    ['another directive', '%YAML 1.1\n---\na\n', '%YAML 1.2\n---\na\n'],
    ['a document more', '---\na\n', '---\na\n---\na\n'],
  ])('but not with %s', (_, before, after) => {
    expect([isSame(before, after), isSame(after, before)]).toEqual([false, false]);
  });
});
