import type { Range, SourceText } from '@tollgate/diagnostics';
import { Composer, type CST, type Document, Parser } from 'yaml';
import type { Reporter } from '../reporter.ts';
import { convertDocument } from './convert-document.ts';
import { tooDeepAt } from './cst-depth.ts';
import type { DocumentNode } from './document-node.ts';
import { yamlFindings } from './yaml-problems.ts';

/** Bounds on documents, so that a hostile one costs no more than a message. */
export interface DocumentLimits {
  /** UTF-16 units. */
  readonly maxDocumentSize: number;
  /** Lists and maps inside each other. */
  readonly maxDocumentDepth: number;
  /** Values, those behind aliases counted as often as they are referred to. */
  readonly maxDocumentNodes: number;
}

/** YAML 1.2.2, section 5.1, but for those that are line breaks or lone surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Reads a YAML or JSON text (which is YAML as well) into nodes with places. Everything that is wrong is reported; undefined
 * when nothing can be made of the text. Never throws, and takes time linear in the size of the text.
 */
export function readDocument(source: SourceText, limits: DocumentLimits, reporter: Reporter): DocumentNode | undefined {
  const { text } = source;
  if (text.length > limits.maxDocumentSize) {
    reportLimit(reporter, 'maxDocumentSize', limits, { start: 0, end: 0 });
    return undefined;
  }
  // The parser uses some of these characters among its tokens, so it must not see them.
  const readable = text.replace(FORBIDDEN, (character: string, offset: number) => {
    reportForbidden(reporter, character, offset);
    return '\ufffd';
  });
  const tokens = [...new Parser().parse(readable)];
  const deep = tooDeepAt(tokens, limits.maxDocumentDepth);
  if (deep !== undefined) {
    reportLimit(reporter, 'maxDocumentDepth', limits, { start: deep, end: Math.min(deep + 1, text.length) });
    return undefined;
  }
  return readTokens(readable, tokens, { limits, reporter });
}

interface Reading {
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

function readTokens(
  text: string,
  tokens: readonly CST.Token[],
  { limits, reporter }: Reading,
): DocumentNode | undefined {
  // Duplicate keys are looked for while converting: the composer takes quadratic time for it.
  const composer = new Composer({ keepSourceTokens: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, text.length)];
  const problems = documents.flatMap(document => [...document.errors, ...document.warnings]);
  for (const finding of yamlFindings(text, problems)) reporter.report(finding);
  const [first, second] = documents;
  if (second) reportSecond(reporter, text, second);
  if (!first) return undefined;
  const converted = convertDocument(text, first, { maxNodes: limits.maxDocumentNodes, reporter });
  if (converted === 'too-large') {
    reportLimit(reporter, 'maxDocumentNodes', limits, { start: 0, end: 0 });
    return undefined;
  }
  return converted;
}

function reportSecond(reporter: Reporter, text: string, document: Document.Parsed): void {
  const marker = text.lastIndexOf('---', document.contents?.range?.[0] ?? document.range[0]);
  const start = marker < 0 ? document.range[0] : marker;
  reporter.report({
    code: 'yaml/several-documents',
    message: 'a policy is one document; `---` begins another, which is ignored',
    range: { start, end: Math.min(start + 3, text.length) },
    args: {},
  });
}

function reportForbidden(reporter: Reporter, character: string, offset: number): void {
  const codePoint = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  reporter.report({
    code: 'yaml/control-character',
    message: `the control character ${codePoint} may not stand in a document; write it as an escape in double quotes`,
    range: { start: offset, end: offset + 1 },
    args: { character: codePoint },
  });
}

const LIMIT_MESSAGES = {
  maxDocumentSize: 'the document is longer than',
  maxDocumentDepth: 'lists and maps are nested deeper than',
  maxDocumentNodes: 'the document, with all its aliases, has more values than',
} as const;

function reportLimit(reporter: Reporter, limit: keyof DocumentLimits, limits: DocumentLimits, range: Range): void {
  const code = `limit/${limit
    .slice(3)
    .replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    .slice(1)}`;
  const message = `${LIMIT_MESSAGES[limit]} ${limits[limit]} (${limit})`;
  reporter.report({ code, message, range, args: { limit, value: limits[limit] } });
}
