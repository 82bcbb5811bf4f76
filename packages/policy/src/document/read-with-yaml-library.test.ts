import { describe, expect, it } from 'vitest';
import { scanBounds } from './read-with-yaml-library.ts';

const LIMITS = { maxDocumentSize: 10_000, maxDocumentDepth: 5, maxDocumentNodes: 20, maxDocumentTokens: 100 };

describe('scanning a document for limits', () => {
  it.each([
    ['brackets', '['.repeat(1000), 'maxDocumentDepth', 5],
    ['braces', '{a: '.repeat(1000), 'maxDocumentDepth', 20],
    ['brackets behind closed ones', `[[]]\n${'['.repeat(1000)}`, 'maxDocumentDepth', 10],
    ['dashes on a line', '- '.repeat(1000), 'maxDocumentDepth', 12],
    ['question marks on a line', '? '.repeat(1000), 'maxDocumentDepth', 12],
    ['texts', `- ${"'a' ".repeat(100)}`, 'maxDocumentNodes', 162],
    ['commas', `[${','.repeat(1000)}`, 'maxDocumentTokens', 100],
    ['documents', '---\n'.repeat(1000), 'maxDocumentTokens', 200],
    ['comments', '# a\n'.repeat(1000), 'maxDocumentTokens', 200],
  ])('stops where a limit is exceeded: %s', (_, text, limit, at) => {
    expect(scanBounds(text, LIMITS).exceeded).toEqual({ limit, at });
  });

  it.each([
    ['brackets that are closed again', '[[], [], [], [], [], [], []]'],
    ['brackets in texts', '- "[[[[[[[["\n- a[[[[[[[\n- |\n  [[[[[[[['],
    ['dashes on many lines', '- a\n'.repeat(10)],
    ['dashes in brackets', '[{a: 1, b: 2, c: 3, d: 4}, {e: 5, f: 6, g: 7}]'],
    ['closing brackets that close nothing', ']]]]]]]]\n[[[[['],
    ['as deep as may be', '- - - - - a'],
  ])('accepts %s', (_, text) => {
    expect(scanBounds(text, LIMITS).exceeded).toBeUndefined();
  });
});
