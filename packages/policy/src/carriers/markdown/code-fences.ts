import { fromMarkdown } from 'mdast-util-from-markdown';
import { type MappedText, PieceCollector } from '../../document/model/mapped-text.ts';
import type { CodeFence } from './find-in-fences.ts';

interface MarkdownNode {
  readonly type: string;
  readonly lang?: string | null | undefined;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: Readonly<Record<'start' | 'end', { readonly offset?: number | undefined }>> | undefined;
}

/** Returns the fenced code blocks of a Markdown file, also those in lists and block quotes, in order. */
export function codeFences(markdown: string): readonly CodeFence[] {
  return fencesIn(fromMarkdown(markdown), markdown);
}

function fencesIn(node: MarkdownNode, markdown: string): readonly CodeFence[] {
  if (node.type !== 'code') return (node.children ?? []).flatMap(child => fencesIn(child, markdown));
  const { start, end } = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
  const text = mapLines(markdown, { start, end }, node.value ?? '');
  return text && /^[`~]{3}/.test(markdown.slice(start, end))
    ? [{ language: (node.lang ?? '').toLowerCase(), text }]
    : [];
}

/** Each line of the contents is the end of a line of the file: only its indentation or the marks of a quote are removed. */
function mapLines(
  markdown: string,
  range: { readonly start: number; readonly end: number },
  value: string,
): MappedText | undefined {
  const collector = new PieceCollector();
  let lineStart = markdown.indexOf('\n', range.start) + 1;
  let previousEnd: number | undefined;
  if (lineStart === 0 || value === '') return undefined;
  for (const line of value.split('\n')) {
    const found = markdown.indexOf('\n', lineStart);
    const lineBreak = found < 0 ? markdown.length : found;
    const end = markdown[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak;
    const start = end - line.length;
    if (start < lineStart || markdown.slice(start, end) !== line) return undefined;
    // A break includes what precedes the contents of the next line.
    if (previousEnd !== undefined) collector.add('\n', previousEnd, start);
    collector.add(line, start, end);
    previousEnd = end;
    lineStart = lineBreak + 1;
  }
  return { value, pieces: collector.pieces, range };
}
