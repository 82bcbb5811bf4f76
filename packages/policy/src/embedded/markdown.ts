import { fromMarkdown } from 'mdast-util-from-markdown';
import { mdxMd } from 'micromark-extension-mdx-md';
import { type MappedText, PieceCollector } from '../document/scalar-text.ts';
import type { EmbeddedPolicy } from './embedded-policy.ts';
import { findInDocument, innerSource, type SearchContext } from './find-in-document.ts';
import { findInTerraform } from './find-in-terraform.ts';
import { detectTemplate, maskTemplate } from './placeholders.ts';
import { mentionsPhase } from './recognition.ts';

/** A code block of a Markdown file. */
export interface CodeFence {
  /** The language, in lower case; empty if none is given. */
  readonly language: string;
  /** Its contents, mapped to the file. */
  readonly text: MappedText;
}

const DOCUMENTS = /^(?:|ya?ml|jsonc?)$/;
const TERRAFORM = /^(?:hcl|terraform|tf)$/;

/** Returns the policies in code blocks. The address of a block is its number in the file, from 1. */
export function findInFences(context: SearchContext, fences: readonly CodeFence[]): readonly EmbeddedPolicy[] {
  return fences.flatMap(({ language, text }, index) => {
    if (!mentionsPhase(text.value)) return [];
    const path = { document: index + 1, steps: [] };
    const layers = [{ style: 'fence', text, outer: context.file.text } as const];
    const source = innerSource(context.file, path, text.value);
    const inner = { ...context, path, layers, source };
    if (TERRAFORM.test(language)) return findInTerraform(inner);
    return DOCUMENTS.test(language) ? findInDocument({ ...withStandIns(inner), format: 'markdown' }) : [];
  });
}

/** Replaces what a template engine and the reader of the page fill in. */
function withStandIns(context: SearchContext): SearchContext {
  const { source, layers, path, file, templates } = context;
  const engine = templates ?? detectTemplate(source.text);
  const masked = maskTemplate(source.text, engine ? [engine, 'prose'] : ['prose']);
  if (!masked) return context;
  const { text, placeholders } = masked;
  return {
    ...context,
    layers: [{ style: 'template', text, outer: source.text, placeholders }, ...layers],
    source: innerSource(file, path, text.value),
  };
}

interface MarkdownNode {
  readonly type: string;
  readonly lang?: string | null | undefined;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: Readonly<Record<'start' | 'end', { readonly offset?: number | undefined }>> | undefined;
}

/** In MDX, what is indented is not code, and fences are indented as far as the components around them. */
const MDX = { extensions: [mdxMd()] };

/** Returns the fenced code blocks of a Markdown file, also those in lists and block quotes, in order. A name that ends in `.mdx` is that of MDX. */
export function codeFences(markdown: string, name: string): readonly CodeFence[] {
  return fencesIn(fromMarkdown(markdown, /\.mdx$/i.test(name) ? MDX : undefined), markdown);
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
