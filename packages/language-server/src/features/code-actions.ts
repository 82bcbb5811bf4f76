import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import { fixText } from '@tollgate/lint';
import { type CodeAction, type CodeActionContext, CodeActionKind, type TextEdit } from 'vscode-languageserver-types';
import { type DiagnosticSupport, toDiagnostic } from '../protocol/diagnostics.ts';
import { singleEdit, toRange, toTextEdit } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The kind of the action that applies all safe fixes of a document. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.tollgate`;

/** What code actions are about. */
interface ActionRequest {
  /** In offsets. */
  readonly range: Range;
  readonly context: CodeActionContext;
  /** The current diagnostics of the document. */
  readonly found: readonly Diagnostic[];
  readonly support: DiagnosticSupport;
  /** Returns the diagnostics of another version of the document. */
  readonly lint: (source: SourceText) => readonly Diagnostic[];
}

/** Returns the fixes of the diagnostics in a range, all fixes of the document, and comments that suppress findings. */
export function codeActions(snapshot: Snapshot, request: ActionRequest): readonly CodeAction[] {
  const { range, context, found } = request;
  const isWanted = (kind: string) => context.only?.some(only => kind === only || kind.startsWith(`${only}.`)) ?? true;
  const here = found.filter(one => one.range.start <= range.end && range.start <= one.range.end);
  const quick = isWanted(CodeActionKind.QuickFix)
    ? here.flatMap(one => [...fixesOf(one, snapshot, request), ...ignoring(one, snapshot, request)])
    : [];
  const isFixAll = context.only !== undefined && isWanted(FIX_ALL);
  const hasFixes = here.some(({ fixes }) => fixes?.some(one => one.applicability === 'safe'));
  const all = isFixAll || (hasFixes && isWanted(FIX_ALL)) ? fixAll(snapshot, request) : [];
  return [...quick, ...all];
}

function fixesOf(diagnostic: Diagnostic, snapshot: Snapshot, { support }: ActionRequest): readonly CodeAction[] {
  const { source, uri } = snapshot;
  return (diagnostic.fixes ?? []).map(({ title, applicability, edits }) => ({
    title: applicability === 'unsafe' ? `${title} (may change decisions)` : title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(diagnostic, source, support)],
    ...(applicability === 'safe' && { isPreferred: true }),
    edit: { changes: { [uri]: edits.map(edit => toTextEdit(source, edit)) } },
  }));
}

/** Codes about suppressions and documents that cannot be read cannot be suppressed. */
const NOT_SUPPRESSED = /^(?:meta|syntax|yaml|json|limit)\//;

function ignoring(diagnostic: Diagnostic, snapshot: Snapshot, { support }: ActionRequest): readonly CodeAction[] {
  const { code, range } = diagnostic;
  const { source, uri, path, project } = snapshot;
  const isLint = project.rules.some(one => one.id === code);
  if (/\.json$/i.test(path) || NOT_SUPPRESSED.test(code) || !isLint) return [];
  const edit = commentAbove(source, range.start, `# tollgate-ignore ${code} -- reason`);
  return [
    {
      title: `ignore \`${code}\` here, with a reason`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [toDiagnostic(diagnostic, source, support)],
      edit: { changes: { [uri]: [edit] } },
    },
  ];
}

/** Inserts a comment on a line of its own, indented like the line below. */
function commentAbove(source: SourceText, offset: number, comment: string): TextEdit {
  const { line } = source.positionAt(offset);
  const { start, end } = source.lineRange(line);
  const indentation = /^ */.exec(source.text.slice(start, end))?.[0] ?? '';
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  const at = { line, character: 0 };
  return { range: { start: at, end: at }, newText: `${indentation}${comment}${lineBreak}` };
}

/** As `tollgate lint --fix` does: until no fix is left. */
function fixAll({ source, uri }: Snapshot, { lint }: ActionRequest): readonly CodeAction[] {
  const { source: fixed } = fixText(source, { lint, kinds: ['safe'] });
  const edit = singleEdit(source.text, fixed.text);
  if (!edit) return [];
  const title = 'fix all findings that have a safe fix';
  return [
    {
      title,
      kind: FIX_ALL,
      edit: { changes: { [uri]: [{ range: toRange(source, edit.range), newText: edit.newText }] } },
    },
  ];
}
