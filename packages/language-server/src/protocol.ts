import type {
  Diagnostic,
  TextEdit as OffsetEdit,
  Range as OffsetRange,
  Severity,
  SourceText,
} from '@tollgate/diagnostics';
import { helpUrl } from '@tollgate/diagnostics/reports';
import {
  CodeActionKind,
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as ProtocolDiagnostic,
  type Range,
  type SemanticTokensLegend,
  type TextEdit,
} from 'vscode-languageserver-types';
import { pathOfUri, uriOfPath } from './paths.ts';

/** Converts a range of offsets to lines and characters. */
export function toRange(source: SourceText, { start, end }: OffsetRange): Range {
  return { start: source.positionAt(start), end: source.positionAt(end) };
}

/** Converts lines and characters to a range of offsets. */
export function toOffsets(source: SourceText, { start, end }: Range): OffsetRange {
  return { start: source.offsetAt(start), end: source.offsetAt(end) };
}

/** Converts an edit. */
export function toTextEdit(source: SourceText, { range, newText }: OffsetEdit): TextEdit {
  return { range: toRange(source, range), newText };
}

/** Returns the edit that turns one text into the other by replacing what lies between their common prefix and suffix. */
export function singleEdit(before: string, after: string): OffsetEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  return { range: { start, end: before.length - same }, newText: after.slice(start, after.length - same) };
}

/** Which part of a text was replaced, and the length of what is there now. */
export interface Replaced {
  readonly range: OffsetRange;
  readonly length: number;
}

/** Returns the part that two edits replace, the second of which was made in the result of the first. */
export function joinReplaced(first: Replaced | undefined, second: Replaced): Replaced {
  if (!first) return second;
  const start = Math.min(first.range.start, second.range.start);
  const between = Math.max(first.range.start + first.length, second.range.end);
  const end = between - first.length + (first.range.end - first.range.start);
  return { range: { start, end }, length: between + second.length - (second.range.end - second.range.start) - start };
}

/** Returns the URI of a policy: that of its file, with the address in the file as fragment. */
export function uriOfPolicy(uri: string, address: string | undefined): string {
  return address ? `${uri}#${encodeURIComponent(address).replaceAll('%2F', '/')}` : uri;
}

/** Returns a policy as commands name it: `/w/deploy.yaml#/spec/policy`. */
export function policyArgument(uri: string): string {
  const [file = '', fragment] = uri.split('#');
  return fragment === undefined ? pathOfUri(file) : `${pathOfUri(file)}#${decodeURIComponent(fragment)}`;
}

/**
 * How the client indents the lines of a snippet after the first: not at all, like the line of the cursor, or to the column of the
 * snippet. Nothing in the protocol announces the last one; Emacs can be told to do it, and then says so in an initialization option.
 */
export type Indentation = 'as-is' | 'line' | 'column';

/** What the client supports in diagnostics. */
export interface DiagnosticSupport {
  readonly related: boolean;
  readonly tags: boolean;
  readonly links: boolean;
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const TAG = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** Name of the source of all diagnostics. */
const SOURCE = 'tollgate';

/** Address of the pages of codes. */
const PAGES = 'https://github.com/tollgate-policies/tollgate/blob/main/docs/reference/codes';

/** Converts a diagnostic of a document. Its range ends on the line on which it starts, so that a marker never covers half the file. */
export function toDiagnostic(
  diagnostic: Diagnostic,
  source: SourceText,
  { related, tags, links }: DiagnosticSupport,
): ProtocolDiagnostic {
  const { code, message, range, severity } = diagnostic;
  return {
    range: toRange(source, { start: range.start, end: endOnLine(source, range) }),
    severity: SEVERITY[severity],
    code,
    source: SOURCE,
    message,
    ...(links && { codeDescription: { href: pageOf(code) } }),
    ...(tags && diagnostic.tags && { tags: diagnostic.tags.map(tag => TAG[tag]) }),
    ...(related && diagnostic.related && { relatedInformation: relatedTo(diagnostic, source) }),
  };
}

/** Returns the address of the page of a code. */
export function pageOf(code: string): string {
  return helpUrl(code, PAGES)!;
}

function endOnLine(source: SourceText, { start, end }: Diagnostic['range']): number {
  const lineBreak = source.text.slice(start, end).search(/[\r\n]/);
  return lineBreak < 1 ? end : start + lineBreak;
}

function relatedTo({ related = [], uri }: Diagnostic, source: SourceText) {
  // Positions in other files need their text, which is not at hand.
  return related
    .filter(one => one.uri === uri)
    .map(one => ({
      location: { uri: uriOfPath(one.uri), range: toRange(source, one.range) },
      message: one.message,
    }));
}

/** The kind of the action that applies all safe fixes of a document. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.tollgate`;

/**
 * Commands of lenses, which the server or the client runs. Each has the URI of the document as its first argument; its
 * fragment is the address of a policy in a file that contains it.
 */
export const LENS_COMMANDS = {
  /** Second argument: the name of the test, or null for all. */
  runTest: 'tollgate.runTest',
  /** Second argument: the phase; third: the number of the rule, from 1. */
  traceRule: 'tollgate.traceRule',
  /** As for `traceRule`; fourth: the path of recorded traffic. */
  replayRule: 'tollgate.replayRule',
  /** Of a fix: its only argument is the message of the warning. */
  explainTrust: 'tollgate.explainTrust',
} as const;

/** Types of semantic tokens, in the order of their numbers. */
export const TOKEN_TYPES = [
  'variable',
  'property',
  'function',
  'method',
  'macro',
  'string',
  'number',
  'keyword',
  'parameter',
  'type',
] as const;

/** The types of tokens as the server announces them. */
export const LEGEND: SemanticTokensLegend = { tokenTypes: [...TOKEN_TYPES], tokenModifiers: ['readonly'] };
