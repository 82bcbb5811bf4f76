import type { Range } from '@tollgate/diagnostics';
import { ErrorCodes, MessageType, ResponseError, ShowMessageNotification } from 'vscode-languageserver';
import {
  type CodeAction,
  type CodeActionContext,
  CodeActionKind,
  CodeActionTriggerKind,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import { readHits } from '../features/hints.ts';
import type { TestedRule } from '../features/missing-tests.ts';
import type { CommandRun } from '../host.ts';
import { uriOfPath } from '../paths.ts';
import { LENS_COMMANDS, policyArgument, singleEdit, toTextEdit, uriOfPolicy } from '../protocol.ts';
import { embeddedAt, type Snapshot } from '../snapshot.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ServerSession } from './diagnostics-loop.ts';

/** What a command of a lens runs. */
interface LensRun {
  readonly title: string;
  readonly args: readonly string[];
}

/** Any client can trace on this. */
const SAMPLE_URL = 'https://example.com/';

/** Runs the commands of lenses for clients that do not do so themselves: shows the report, and answers with it. */
export function answerCommands(session: ServerSession): void {
  const { workspace, client, connection } = session;
  const { runCommand } = workspace.host;
  if (!runCommand || client.runsCommands) return;
  connection.onExecuteCommand(async ({ command, arguments: given = [], workDoneToken }, token, progress) => {
    if (command === LENS_COMMANDS.explainTrust) return explainTrust(String(given[0]), session);
    const { title, args } = lensRun(command, given);
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const reporter = workDoneToken === undefined ? await ownProgress(session, stop) : progress;
    reporter?.begin(title, undefined, undefined, true);
    try {
      const shown = workspace.sent.map(({ path, source: { text } }) => ({ path, text }));
      const run = await runCommand({ args, trust: workspace.trust, shown, signal: stop.signal });
      if (command === LENS_COMMANDS.replayRule) takeHits(String(given[0]), parsed(run.output), session);
      await show(title, run, session);
      return run;
    } finally {
      reporter?.done();
    }
  });
}

const TRUST =
  'Lint rules and extensions in modules are code. They run only in directories that you trust, so that opening a repository runs nothing of it.';

/** Says why a module does not run, and what the user can do about it. */
function explainTrust(message: string, { connection }: ServerSession): null {
  void connection.sendNotification(ShowMessageNotification.type, {
    type: MessageType.Info,
    message: `${message}. ${TRUST}`,
  });
  return null;
}

/** Begins progress for a client that did not name any, if it can show it. */
async function ownProgress({ client, connection }: ServerSession, stop: AbortController) {
  if (!client.progress) return undefined;
  const reporter = await connection.window.createWorkDoneProgress();
  reporter.token.onCancellationRequested(() => stop.abort());
  return reporter;
}

function lensRun(command: string, [uri, first, second, third]: readonly unknown[]): LensRun {
  const path = typeof uri === 'string' ? policyArgument(uri) : undefined;
  const isRule = typeof first === 'string' && typeof second === 'number';
  if (path !== undefined && command === LENS_COMMANDS.runTest)
    return { title: 'run tests', args: ['test', '--color', 'never', path] };
  if (path !== undefined && isRule && command === LENS_COMMANDS.traceRule) {
    const url = typeof third === 'string' ? third : SAMPLE_URL;
    const args = ['trace', '--color', 'never', '--rule', `${first} ${second}`, '--url', url, path];
    return { title: `trace ${first} ${second} on ${url}`, args };
  }
  if (path !== undefined && isRule && command === LENS_COMMANDS.replayRule) {
    if (typeof third === 'string') return { title: 'replay', args: ['replay', '--format', 'json', path, third] };
    const message = 'no traffic to replay; give the path of a recording as the fourth argument';
    throw new ResponseError(ErrorCodes.InvalidParams, message);
  }
  throw new ResponseError(ErrorCodes.InvalidParams, `wrong arguments of \`${command}\``);
}

/** Shows how often each rule of a policy matched in a replay. */
export function takeHits(uri: string, report: unknown, { workspace, client, connection }: ServerSession): void {
  const hits = readHits(report);
  if (!hits) return;
  const [file = '', fragment] = uri.split('#');
  workspace.hits.set(uriOfPolicy(file, fragment && decodeURIComponent(fragment)), hits);
  if (client.refreshesHints) void connection.languages.inlayHint.refresh();
}

async function show(
  title: string,
  { code, output, errors, report }: CommandRun,
  { client, connection }: ServerSession,
) {
  if (code === undefined) return;
  const lines = (errors.trim() === '' ? output : errors).trim().split('\n');
  const message = `${title}: ${lines.length > MAX_LINES ? (lines.at(-1) ?? '') : lines.join('\n')}`;
  const type = code === 0 ? MessageType.Info : MessageType.Warning;
  if (client.showsDocuments && output !== '') {
    const { success } = await connection.window.showDocument({ uri: uriOfPath(report), takeFocus: false });
    if (success) return;
  }
  void connection.sendNotification(ShowMessageNotification.type, { type, message });
}

function parsed(report: string): unknown {
  try {
    return JSON.parse(report);
  } catch {
    return undefined;
  }
}

/** A longer message is cut down to its last line, the summary. */
const MAX_LINES = 8;

// The action that writes the tests that a rule lacks. Offered when a person asks, because the tests run for it; what is written is only found once
// it is chosen, where the client can wait for that.

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
