// The action that writes the tests that a rule lacks. Offered when a person asks, because the tests run for it; what is written is only found once
// it is chosen, where the client can wait for that.

import type { Range } from '@tollgate/diagnostics';
import { MessageType, ShowMessageNotification } from 'vscode-languageserver';
import {
  type CodeAction,
  type CodeActionContext,
  CodeActionKind,
  CodeActionTriggerKind,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import type { TestedRule } from '../features/missing-tests.ts';
import { singleEdit, toTextEdit } from '../protocol.ts';
import { embeddedAt, type Snapshot } from '../snapshot.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ServerSession } from './diagnostics-loop.ts';

const KIND = `${CodeActionKind.Refactor}.test`;
/** Command of clients that run commands themselves: shows the file with this URI. */
const OPEN_TESTS = 'tollgate.openTests';

/** What an action writes tests of, for a client that asks for them later. Plain data. */
interface ActionData {
  readonly uri: string;
  /** In the document. */
  readonly offset: number;
}

/** Returns the action for the rule at a range, if the client asks for it and the rule may lack tests. */
export async function testActions(
  snapshot: Snapshot,
  { range, context }: { readonly range: Range; readonly context: CodeActionContext },
  session: ServerSession,
): Promise<readonly CodeAction[]> {
  const { client, workspace } = session;
  if (!isWanted(context) || snapshot.lastGood) return [];
  const data: ActionData = { uri: snapshot.uri, offset: range.start };
  const tested = await testedRule(snapshot, range.start, workspace);
  if (!tested || (tested.files.length === 0 && !client.createsFiles)) return [];
  const { lacksTests } = await import('../features/missing-tests.ts');
  if (!lacksTests(tested)) return [];
  const title = tested.files.length > 0 ? 'write the missing tests of this rule' : 'write tests of this rule';
  const action: CodeAction = { title, kind: KIND, data };
  return [client.resolvesActions ? action : await resolveTestAction(action, session)];
}

function isWanted({ only, triggerKind }: CodeActionContext): boolean {
  if (only) return only.some(one => KIND === one || KIND.startsWith(`${one}.`));
  return triggerKind !== CodeActionTriggerKind.Automatic;
}

/** Returns an action with its edit; without one if no test can be written, which a message says. */
export async function resolveTestAction(action: CodeAction, session: ServerSession): Promise<CodeAction> {
  const { uri, offset } = (action.data ?? {}) as Partial<ActionData>;
  const { workspace, client, connection } = session;
  const snapshot = uri === undefined ? undefined : await workspace.snapshot(uri);
  const tested = snapshot && offset !== undefined ? await testedRule(snapshot, offset, workspace) : undefined;
  if (!snapshot || !tested) return action;
  const { missingTestsOf, withTests } = await import('../features/missing-tests.ts');
  const { tests, reasons } = missingTestsOf(tested);
  const changed = tests.length > 0 ? withTests(tested, snapshot.path, tests) : undefined;
  if (!changed) {
    const why = tests.length > 0 ? ['the tests of the file are not a list of their own'] : reasons;
    const message = `tollgate: no test was written${why.length > 0 ? `: ${why.join('; ')}` : '; no request can show more'}`;
    void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message });
    return action;
  }
  const target = workspace.uriAt(changed.path);
  const show = { title: 'open the tests', command: OPEN_TESTS, arguments: [target] };
  return { ...action, edit: editOf(changed, target), ...(client.runsCommands && { command: show }) };
}

function editOf({ source, text }: Awaited<ReturnType<WithTests>> & object, uri: string): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  if (!source) {
    const inserted = { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] };
    return { documentChanges: [{ kind: 'create', uri, options: { ignoreIfExists: true } }, inserted] };
  }
  const edit = singleEdit(source.text, text);
  return { changes: { [uri]: edit ? [toTextEdit(source, edit)] : [] } };
}

type WithTests = typeof import('../features/missing-tests.ts').withTests;

/** Returns the rule at an offset of a document with the tests of its policy; undefined if there is none, or its policy has errors. */
async function testedRule(snapshot: Snapshot, offset: number, workspace: Workspace): Promise<TestedRule | undefined> {
  const { inner, offset: inside = offset } = embeddedAt(snapshot, offset) ?? {};
  const { policies, diagnostics } = inner?.snapshot ?? snapshot;
  if (diagnostics.some(one => one.severity === 'error')) return undefined;
  for (const analysed of policies) {
    const rules = Object.values(analysed.policy.rules).flat();
    const rule = rules.find(({ range }) => range.start <= inside && inside <= range.end);
    if (rule) return { analysed, rule, files: await workspace.testsOf(snapshot.path, analysed.address) };
  }
  return undefined;
}
