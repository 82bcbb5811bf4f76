import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { type DocumentNode, documentLimits, Reporter } from './document-node.ts';
import { applyEdits, removeEntries, removeItems, updateJson, updateYaml } from './edits.ts';
import { readDocuments } from './read-document.ts';

/** The document without the entries and items whose key or value is `x`. */
function removed(document: string): string | undefined {
  const reading = { limits: documentLimits(EDGE_V2), reporter: new Reporter('a.yaml', 10) };
  const { documents } = readDocuments(new SourceText('a.yaml', document), reading);
  const edits = editsIn(documents[0]!, document);
  return edits.includes(undefined)
    ? undefined
    : applyEdits(
        document,
        edits.flatMap(edit => edit ?? []),
      );
}

function editsIn(node: DocumentNode, document: string): ReturnType<typeof removeItems> {
  if (node.kind === 'map') {
    const own = node.entries.filter(({ key }) => key.startsWith('x'));
    const others = node.entries.filter(entry => !own.includes(entry));
    return [...removeEntries(document, node, own), ...others.flatMap(({ value }) => editsIn(value, document))];
  }
  if (node.kind !== 'list') return [];
  const own = node.items.filter(item => item.kind === 'scalar' && item.value === 'x');
  const others = node.items.filter(item => !own.includes(item));
  return [...removeItems(document, node, own), ...others.flatMap(item => editsIn(item, document))];
}

it.each([
  ['at the end of its line', 'a: 1\nx: 2 # c\nb: 3\n', 'a: 1\n# c\nb: 3\n'],
  ['at the end of its line, without a line break', 'a: 1\nx: 2 # c', 'a: 1\n# c\n'],
  ['before it', 'a: 1\n# c\nx: 2\nb: 3\n', 'a: 1\n# c\nb: 3\n'],
  ['inside of its value', 'a:\n  x: # c\n    # d\n    y: "#"\n  b: 1\n', 'a:\n  # c\n  # d\n  b: 1\n'],
  ['behind the header of a block', 'x: | # c\n  # no comment\na: 1\n', '# c\na: 1\n'],
  ['at the end of an item', 'a:\n  - x # c\n  - b\n', 'a:\n  # c\n  - b\n'],
  ['of lines that end with two characters', 'a: 1\r\nx: 2 # c\r\nb: 3\r\n', 'a: 1\r\n# c\r\nb: 3\r\n'],
  ['between brackets', 'a: [x, # c\n  b]\n', 'a: [ # c\n  b]\n'],
  ['at the end between brackets', 'a: [b, # c\n  x # d\n  ]\n', 'a: [b # c\n   # d\n  ]\n'],
  ['between braces', "{ a: 1, 'x': [ # c\n  1 ], # d\n  b: 2 }\n", '{ a: 1, # c\n  # d\n  b: 2 }\n'],
  ['of several at the end', '[b, x, # c\n x, # d\n x]\n', '[b # c\n  # d\n ]\n'],
  ['of all', '[x, # c\n x]\n', '[ # c\n ]\n'],
])('keeps the comment %s', (_, before, after) => {
  expect(removed(before)).toBe(after);
});

it('leaves a document alone that it would break', () => {
  expect(removed('- x: 1\n  b: 2\n')).toBeUndefined();
});

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

const ROOT = { document: undefined, steps: [] };

const POLICY = `# The shop.
inbound:
  # Robots are not welcome.
  - name: no robots # yet
    actions:
      - type: deny # for now
        config: { status_code: 403 }
  # Old paths.
  - name: moved
    actions: [{ type: log }]
`;

describe('updateYaml', () => {
  it('keeps comments with the rules that they belong to', () => {
    const updated = updateYaml(POLICY, ROOT, {
      inbound: [
        { name: 'moved', actions: [{ type: 'log' }] },
        { name: 'new', actions: [{ type: 'log' }] },
        { name: 'no robots', actions: [{ type: 'deny', config: { status_code: 404 } }] },
      ],
    });
    expect(updated).toBe(`# The shop.
inbound:
  # Old paths.
  - name: moved
    actions: [ { type: log } ]
  - name: new
    actions:
      - type: log
  # Robots are not welcome.
  - name: no robots # yet
    actions:
      - type: deny # for now
        config: { status_code: 404 }
`);
  });

  it('changes one part of one document', () => {
    const text = 'kind: A\n---\n# Second.\nspec:\n  policy: {}\n  other: 1 # kept\n';
    const updated = updateYaml(text, { document: 2, steps: ['spec', 'policy'] }, { outbound: [] });
    expect(updated).toBe('kind: A\n---\n# Second.\nspec:\n  policy: { outbound: [] }\n  other: 1 # kept\n');
  });

  it('adds missing maps on the way, also to an empty text', () => {
    expect(updateYaml('', { document: undefined, steps: ['targets', 'shop'] }, { policy: 'shop.yaml' })).toBe(
      'targets:\n  shop:\n    policy: shop.yaml\n',
    );
  });

  it('rejects YAML with errors', () => {
    expect(updateYaml('a: [', ROOT, {})).toBeUndefined();
  });

  it.each([
    ['targets: # none yet\n', 'targets:\n  shop: 1\n  # none yet\n'],
    ['# Nothing.\n', '# Nothing.\ntargets:\n  shop: 1\n'],
    ['~\n', 'targets:\n  shop: 1\n'],
  ])('replaces a null on the way in %j', (text, expected) => {
    expect(updateYaml(text, { document: undefined, steps: ['targets', 'shop'] }, 1)).toBe(expected);
  });

  it.each(['spec: 1', 'spec: [1]', '- 1', 'text'])('rejects a path with no place in `%s`', text => {
    expect(updateYaml(text, { document: undefined, steps: ['spec', 'policy'] }, {})).toBeUndefined();
  });
});
