import { ErrorCodes, MessageType, ResponseError, ShowMessageNotification } from 'vscode-languageserver';
import { readHits } from '../features/hints.ts';
import type { CommandRun } from '../host.ts';
import { uriOfPath } from '../paths.ts';
import { LENS_COMMANDS, policyArgument, uriOfPolicy } from '../protocol.ts';
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
