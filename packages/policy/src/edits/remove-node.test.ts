import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { documentLimits } from '../document/model/document-limits.ts';
import type { DocumentNode } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { readDocuments } from '../document/read-document.ts';
import { applyEdits } from './apply-edits.ts';
import { removeEntries, removeItems } from './remove-node.ts';

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
