import { type Diagnostic, InternalError, type SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicy } from '../analyze-policy.ts';
import { placeComments } from './place-comments.ts';
import { findRoles } from './policy-roles.ts';
import { printJson } from './print-json.ts';
import { printYaml } from './print-yaml.ts';
import { readSyntax } from './read-syntax.ts';
import { hasSameContent } from './same-content.ts';
import type { SyntaxDocument } from './syntax-tree.ts';
import { TextLines } from './text-lines.ts';

/** How a policy is to be formatted. */
export interface FormatOptions extends AnalysisOptions {
  /** The longest line, in UTF-16 units, where it can be broken. */
  readonly width: number;
}

/** A policy in its canonical layout, or why there is none. */
export interface FormattedPolicy {
  /** Undefined when the document was refused. */
  readonly text: string | undefined;
  /** Why it was refused. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What makes a document unreadable; other errors do not hinder. */
const HINDERING = /^(?:yaml|json|limit|syntax)\//;

/** Reported of what comes after the first document, which is formatted like it. */
const HARMLESS: ReadonlySet<string> = new Set(['yaml/several-documents']);

/**
 * Gives a policy in YAML or JSON its canonical layout: indentation, order of keys, quotes, block scalars, and the layout of
 * expressions. The analysis of the result is the same, all comments are kept, JSON stays JSON, and formatting again changes
 * nothing. What cannot be read, in its document or in the syntax of an expression, is refused, and so is what is no policy.
 */
export function formatPolicy(source: SourceText, options: FormatOptions): FormattedPolicy {
  const { diagnostics } = analyzePolicy(source, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const hindering = errors.filter(({ code }) => HINDERING.test(code) && !HARMLESS.has(code));
  if (hindering.length > 0) return { text: undefined, diagnostics: hindering };
  const text = source.text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const lines = new TextLines(text);
  const documents = readSyntax(lines);
  const phases = options.profile.phases;
  const isPolicy = documents.some(({ root }) => findRoles(root, phases).isPolicy);
  if (!isPolicy && errors.length > 0) return { text: undefined, diagnostics: errors };
  const formatted = isJson(text) ? formatJson(documents, options) : formatYaml(lines, documents, options);
  if (!hasSameContent(text, formatted, phases)) throw new InternalError(`formatting would change \`${source.uri}\``);
  const lineBreak = /\r\n?|\n/.exec(source.text)?.[0] ?? '\n';
  return { text: formatted.replaceAll('\n', lineBreak), diagnostics: [] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formatJson(documents: readonly SyntaxDocument[], { profile, width }: FormatOptions): string {
  const root = documents[0]?.root;
  if (!root) throw new InternalError('JSON without a value');
  return `${printJson(root, { roles: findRoles(root, profile.phases), width })}\n`;
}

function formatYaml(
  source: TextLines,
  documents: readonly SyntaxDocument[],
  { profile, width }: FormatOptions,
): string {
  const lines = documents.flatMap((document, index) => {
    const roles = findRoles(document.root, profile.phases);
    const printed = printYaml(document, { comments: placeComments(source, document), roles, width });
    // Directives stand behind the end of the document before.
    return index > 0 && document.directives.length > 0 ? ['...', ...printed] : printed;
  });
  return `${lines.join('\n')}\n`;
}
