import type { Range } from '@tollgate/diagnostics';
import { Composer, type CST, type Document, isScalar, type ParsedNode, Parser } from 'yaml';
import type { Reporter } from '../reporter.ts';
import { convertDocument } from './convert-document.ts';
import { commentsIn } from './cst-comments.ts';
import { tooDeepAt } from './cst-depth.ts';
import type { DocumentLimits } from './document-limits.ts';
import type { DocumentNode } from './document-node.ts';
import { reportLimit } from './report-limit.ts';
import { yamlFindings } from './yaml-problems.ts';

/** YAML 1.2.2, section 5.1, but for those that are line breaks or lone surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** What a text holds. */
export interface ReadText {
  /** Those with content, in order; several in one text are separated by `---`. */
  readonly documents: readonly DocumentNode[];
  /** Each from `#` to the end of its line, in order. */
  readonly comments: readonly Range[];
  /** How many values it has, where the text was read directly. */
  readonly directNodes?: number;
}

/**
 * Reads YAML by means of the YAML library, and reports everything that is wrong with it; undefined when a limit is exceeded. Takes time
 * linear in the size of the text.
 */
export function readByLibrary(text: string, limits: DocumentLimits, reporter: Reporter): ReadText | undefined {
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
  const documents = convertTokens(readable, tokens, { limits, reporter });
  return documents && { documents, comments: commentsIn(tokens) };
}

interface Reading {
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

function convertTokens(
  text: string,
  tokens: readonly CST.Token[],
  { limits, reporter }: Reading,
): readonly DocumentNode[] | undefined {
  // Duplicate keys are looked for while converting: the composer takes quadratic time for it.
  const composer = new Composer({ keepSourceTokens: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, text.length)];
  const problems = documents.flatMap(document => [...document.errors, ...document.warnings]);
  for (const finding of yamlFindings(text, problems)) reporter.report(finding);
  let maxNodes = limits.maxDocumentNodes;
  const converted: DocumentNode[] = [];
  for (const document of documents) {
    if (!document.contents || isEmpty(document.contents)) continue;
    const { root, size } = convertDocument(text, document, { maxNodes, reporter });
    maxNodes -= size;
    if (maxNodes < 0) {
      reportLimit(reporter, 'maxDocumentNodes', limits);
      return undefined;
    }
    converted.push(root);
  }
  return converted;
}

/** Of a text that has nothing but comments, or of one that ends with `---`, the library makes a document all the same. */
function isEmpty(contents: ParsedNode): boolean {
  return isScalar(contents) && contents.value === null && contents.source === '' && !contents.anchor && !contents.tag;
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
