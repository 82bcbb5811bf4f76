import { type Diagnostic, InternalError, type Range, type SourceText, type TextEdit } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../edits/apply-edits.ts';
import { formatJsonPart, formatYamlPart, originalOffsets } from './format-part.ts';
import { attachComments } from './print/attach-comments.ts';
import { KnownLayouts } from './print/known-layouts.ts';
import { printJson } from './print/print-json.ts';
import { printYaml } from './print/print-yaml.ts';
import { findRoles, type PolicyRoles } from './roles/policy-roles.ts';
import { hasSameContent } from './same-content.ts';
import { findParts, type SyntaxPart } from './syntax/find-part.ts';
import { readSyntax } from './syntax/read-syntax.ts';
import { SourceLines } from './syntax/source-lines.ts';
import type { SyntaxDocument } from './syntax/syntax-tree.ts';

/** Options of {@link formatPolicy}. */
export interface FormatOptions extends AnalysisOptions {
  /** Maximum line width in UTF-16 units, for lines that can be broken. */
  readonly width: number;
  /** What {@link analyzePolicies} reports for the same text with the same options, if that is known already. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** The formatted text, or the errors that prevented it. */
export interface FormattedPolicy {
  /** Undefined if the document was rejected. */
  readonly text: string | undefined;
  /** Why it was rejected. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Errors that prevent formatting. */
const BLOCKING = /^(?:yaml|json|limit|syntax)\//;

/**
 * Formats the policies in a YAML or JSON file: indentation, key order, quotes, block scalars, and the
 * layout of expressions. If a part is given, everything else stays exactly as it is. The result has the same analysis, all
 * comments are kept, JSON stays JSON, and formatting again changes nothing. Rejects files with syntax errors in the
 * document or in an expression, and files without a policy.
 */
export function formatPolicy(source: SourceText, options: FormatOptions): FormattedPolicy {
  const diagnostics = options.diagnostics ?? analyzePolicies(source, options).diagnostics;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const hindering = errors.filter(({ code }) => BLOCKING.test(code));
  if (hindering.length > 0) return { text: undefined, diagnostics: hindering };
  const text = withPlainLines(source.text);
  const lines = new SourceLines(text);
  const plans = planDocuments(lines, options);
  if (!plans.some(({ roles }) => roles.isPolicy) && errors.length > 0) return { text: undefined, diagnostics: errors };
  const documents = plans.map(({ document }) => document);
  const isSame = (formatted: string) => {
    const now = withPlainLines(formatted);
    // Most files have been formatted before.
    return now === text || hasSameContent(documents, readSyntax(new SourceLines(now)), options);
  };
  const task = { lines, plans, options };
  const formatted = options.part ? formatParts(source, task, isSame) : formatAll(source, task);
  if (typeof formatted !== 'string') return { text: undefined, diagnostics: [formatted] };
  if (!isSame(formatted)) throw new InternalError(`formatting would change the meaning of \`${source.uri}\``);
  return { text: formatted, diagnostics: [] };
}

function withPlainLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
}

interface Plan {
  readonly document: SyntaxDocument;
  /** The part to format. */
  readonly part: SyntaxPart | undefined;
  readonly roles: PolicyRoles;
}

function planDocuments(lines: SourceLines, { profile, part: path }: FormatOptions): readonly Plan[] {
  const documents = readSyntax(lines);
  const parts = findParts(documents, path);
  return documents.map((document, index) => {
    const part = parts[index];
    return { document, part, roles: findRoles(document.root, part?.node, profile) };
  });
}

interface Task {
  readonly lines: SourceLines;
  readonly plans: readonly Plan[];
  readonly options: FormatOptions;
}

function formatAll({ text: original }: SourceText, { lines, plans, options }: Task): string {
  const formatted = isJson(lines.text) ? formatJson(plans, options) : formatYaml(lines, plans, options);
  return formatted.replaceAll('\n', lineBreakOf(original));
}

function lineBreakOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formatJson(plans: readonly Plan[], { profile, width }: FormatOptions): string {
  const [first] = plans;
  if (!first?.document.root) throw new InternalError('JSON without a value');
  const { interpolationEscape } = profile.switches;
  return `${printJson(first.document.root, { roles: first.roles, width, interpolationEscape })}\n`;
}

function formatYaml(source: SourceLines, plans: readonly Plan[], { profile, width }: FormatOptions): string {
  const { interpolationEscape } = profile.switches;
  const layouts = new KnownLayouts();
  const lines = plans.flatMap(({ document, roles }, index) => {
    const comments = attachComments(source, document);
    const printed = printYaml(document, { comments, roles, width, interpolationEscape, layouts });
    // Directives need an explicit end of the previous document.
    return index > 0 && document.directives.length > 0 ? ['...', ...printed] : printed;
  });
  return `${lines.join('\n')}\n`;
}

/** Returns the text with its parts formatted, or the errors that prevent it. */
function formatParts(source: SourceText, task: Task, isSame: (text: string) => boolean): string | Diagnostic {
  const formatted = replaceParts(source, task, false);
  if (typeof formatted !== 'string' || isSame(formatted)) return formatted;
  return replaceParts(source, task, true);
}

function replaceParts(
  { uri, text }: SourceText,
  { lines, plans, options: { profile, width } }: Task,
  dropsBlanks: boolean,
): string | Diagnostic {
  const { interpolationEscape } = profile.switches;
  const format = isJson(lines.text) ? formatJsonPart : formatYamlPart;
  const originalRange = originalOffsets(text);
  const layouts = new KnownLayouts();
  const edits: TextEdit[] = [];
  for (const { document, part, roles } of plans) {
    if (!part) continue;
    const edit = format({ lines, document, part, roles, width, interpolationEscape, layouts, dropsBlanks });
    if (!edit) return inBrackets(uri, originalRange(part.node));
    const newText = edit.newText.replaceAll('\n', lineBreakOf(text));
    edits.push({ range: originalRange(edit.range), newText });
  }
  return applyEdits(text, edits);
}

function inBrackets(uri: string, { start }: Range): Diagnostic {
  return {
    code: 'format/in-brackets',
    severity: 'error',
    message:
      'cannot format a policy inside brackets on its own; format the whole file, or write the surroundings without brackets',
    uri,
    range: { start, end: start + 1 },
    args: {},
  };
}
