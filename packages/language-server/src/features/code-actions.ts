import type { Diagnostic, TextEdit as OffsetEdit, Range as Offsets, Range } from '@tollgate/diagnostics';
import { editsInFile, entryOf } from '@tollgate/policy';
import { type CodeAction, type CodeActionContext, CodeActionKind, type CodeLens } from 'vscode-languageserver-types';
import { UNTRUSTED_MODULE } from '../host.ts';
import {
  type DiagnosticSupport,
  FIX_ALL,
  LENS_COMMANDS,
  toDiagnostic,
  toRange,
  toTextEdit,
  uriOfPolicy,
} from '../protocol.ts';
import { embeddedAt, type Snapshot } from '../snapshot.ts';

/** What code actions are about. */
interface ActionRequest {
  /** In offsets. */
  readonly range: Range;
  readonly context: CodeActionContext;
  /** The current diagnostics of the document. */
  readonly found: readonly Diagnostic[];
  readonly support: DiagnosticSupport;
}

/** Returns the fixes of the diagnostics in a range, and comments that suppress them. */
export function quickActions(snapshot: Snapshot, request: ActionRequest): readonly CodeAction[] {
  if (!isWanted(CodeActionKind.QuickFix, request)) return [];
  return foundHere(request).flatMap(one => [
    ...fixesOf(one, snapshot, request),
    ...ignoring(one, snapshot, request),
    ...explanation(one, snapshot, request),
  ]);
}

/** Returns true if the client asks for all fixes of the document, or something in the range has a safe fix. */
export function wantsFixAll(request: ActionRequest): boolean {
  if (!isWanted(FIX_ALL, request)) return false;
  const hasFixes = foundHere(request).some(({ fixes }) => fixes?.some(one => one.applicability === 'safe'));
  return hasFixes || request.context.only !== undefined;
}

function isWanted(kind: string, { context }: ActionRequest): boolean {
  return context.only?.some(only => kind === only || kind.startsWith(`${only}.`)) ?? true;
}

function foundHere({ range, found }: ActionRequest): readonly Diagnostic[] {
  return found.filter(one => one.range.start <= range.end && range.start <= one.range.end);
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
  const { source, uri, project } = snapshot;
  const isLint = project.rules().some(one => one.id === code);
  const edits =
    NOT_SUPPRESSED.test(code) || !isLint
      ? undefined
      : commentAbove(snapshot, range.start, `# tollgate-ignore ${code} -- reason`);
  if (!edits) return [];
  return [
    {
      title: `ignore \`${code}\` here, with a reason`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [toDiagnostic(diagnostic, source, support)],
      edit: { changes: { [uri]: edits.map(edit => toTextEdit(source, edit)) } },
    },
  ];
}

/** Why a module does not run: only the user can change that. */
function explanation(diagnostic: Diagnostic, { source }: Snapshot, { support }: ActionRequest): readonly CodeAction[] {
  if (diagnostic.code !== UNTRUSTED_MODULE) return [];
  const title = 'explain why it does not run, and how to trust it';
  return [
    {
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [toDiagnostic(diagnostic, source, support)],
      command: { title, command: LENS_COMMANDS.explainTrust, arguments: [diagnostic.message] },
    },
  ];
}

/** Inserts a comment on a line of its own, indented like the line below. Undefined where a comment cannot be written, as in JSON. */
function commentAbove(snapshot: Snapshot, offset: number, comment: string): readonly OffsetEdit[] | undefined {
  const embedded = embeddedAt(snapshot, offset);
  if (embedded) {
    const { inner, offset: at } = embedded;
    const inside = commentAbove(inner.snapshot, at, comment);
    return inside && editsInFile(inner.embedded, inside);
  }
  const { source } = snapshot;
  if (/\.json$/i.test(source.uri)) return undefined;
  const { start, end } = source.lineRange(source.positionAt(offset).line);
  const indentation = /^ */.exec(source.text.slice(start, end))?.[0] ?? '';
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  return [{ range: { start, end: start }, newText: `${indentation}${comment}${lineBreak}` }];
}

/** Returns the action that applies all safe fixes of a document as one edit; none without an edit. */
export function fixAllAction({ source, uri }: Snapshot, edit: OffsetEdit | undefined): readonly CodeAction[] {
  if (!edit) return [];
  const changes = { [uri]: [toTextEdit(source, edit)] };
  return [{ title: 'fix all findings that have a safe fix', kind: FIX_ALL, edit: { changes } }];
}

/** Returns the commands for the tests or rules of a document. */
export function codeLenses(snapshot: Snapshot): readonly CodeLens[] {
  return snapshot.kind === 'tests' ? testLenses(snapshot) : ruleLenses(snapshot);
}

function testLenses(snapshot: Snapshot): readonly CodeLens[] {
  const { source, uri } = snapshot;
  const found = testsOf(snapshot);
  if (!found) return [];
  const lens = (title: string, at: Range, name: string | null): CodeLens => ({
    range: toRange(source, at),
    command: { title, command: LENS_COMMANDS.runTest, arguments: [uri, name] },
  });
  return [
    lens('run all tests', found.keyRange, null),
    ...found.tests.map(({ name, nameRange }) => lens('run test', nameRange, name)),
  ];
}

function ruleLenses({ policies, source, uri }: Snapshot): readonly CodeLens[] {
  return policies.flatMap(({ policy, address }) =>
    Object.values(policy.rules).flatMap(rules =>
      rules.flatMap(({ name, range, phase, index }) => {
        const at = toRange(source, name?.range ?? { start: range.start, end: range.start });
        const arguments_ = [uriOfPolicy(uri, address), phase, index + 1];
        return [
          { range: at, command: { title: 'trace', command: LENS_COMMANDS.traceRule, arguments: arguments_ } },
          { range: at, command: { title: 'replay', command: LENS_COMMANDS.replayRule, arguments: arguments_ } },
        ];
      }),
    ),
  );
}

/** A policy test in a document. */
interface NamedTest {
  readonly name: string;
  readonly nameRange: Offsets;
  /** Of the whole test. */
  readonly range: Offsets;
}

/** The tests of a document. */
interface TestList {
  /** The key above them. */
  readonly keyRange: Offsets;
  readonly tests: readonly NamedTest[];
}

/** Returns the named tests of a document; undefined if it has no list of tests. */
export function testsOf({ kind, root }: Snapshot): TestList | undefined {
  const entry = kind === 'tests' && root?.kind === 'map' ? entryOf(root, 'tests') : undefined;
  if (entry?.value.kind !== 'list') return undefined;
  const tests = entry.value.items.flatMap((item): readonly NamedTest[] => {
    const name = item.kind === 'map' ? entryOf(item, 'name')?.value : undefined;
    if (name?.kind !== 'scalar' || typeof name.value !== 'string') return [];
    return [{ name: name.value, nameRange: name.range, range: item.range }];
  });
  return { keyRange: entry.keyRange, tests };
}
