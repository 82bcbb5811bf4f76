import {
  commands,
  type Diagnostic,
  type Disposable,
  type LogOutputChannel,
  languages,
  type QuickPickItem,
  Uri,
  window,
  workspace,
} from 'vscode';
import { element, fragment, type Html, heading } from './page.ts';
import { openLocation, openRule } from './policy-at-cursor.ts';
import type { Session } from './show-report.ts';
import { tracePolicy, traceRule } from './trace-commands.ts';
import { replayTraffic, showImpact, showTrafficImpact } from './traffic-commands.ts';

/** Registers all commands but those of tests. */
export function registerCommands(session: Session, log: LogOutputChannel): readonly Disposable[] {
  const { registerCommand } = commands;
  return [
    registerCommand('tollgate.traceRule', (uri, phase, number) => traceRule(session, uri, phase, number)),
    registerCommand('tollgate.tracePolicy', uri => tracePolicy(session, uri)),
    registerCommand('tollgate.replayTraffic', uri => replayTraffic(session, uri)),
    registerCommand('tollgate.replayRule', (uri, phase, number) => replayTraffic(session, uri, { phase, number })),
    registerCommand('tollgate.showImpact', uri => showImpact(session, uri)),
    registerCommand('tollgate.showTrafficImpact', uri => showTrafficImpact(session, uri)),
    registerCommand('tollgate.explainCode', code => explainCode(session, code)),
    registerCommand('tollgate.explainTrust', explainTrust),
    registerCommand('tollgate.openLocation', openLocation),
    registerCommand('tollgate.openRule', openRule),
    registerCommand('tollgate.openTests', (uri: string) => window.showTextDocument(Uri.parse(uri), { preview: false })),
    registerCommand('tollgate.showMenu', showMenu),
    registerCommand('tollgate.showLog', () => log.show()),
    registerCommand('tollgate.restartServer', () => session.server.restart()),
  ];
}

/** Says why a module of the workspace does not run. VS Code asks for trust in its own words. */
async function explainTrust(message: string): Promise<void> {
  const detail =
    'Lint rules and extensions in modules are code. They run only in workspaces that you trust, so that opening a repository runs nothing of it. Without a module, its lint rules find nothing, and its names are unknown.';
  const manage = 'Manage Workspace Trust';
  const chosen = await window.showInformationMessage(`Tollgate: ${message}.`, { modal: true, detail }, manage);
  if (chosen === manage) await commands.executeCommand('workbench.trust.manage');
}

interface MenuItem extends QuickPickItem {
  readonly command: string;
}

/** Offers what can be done with the active policy. The status bar item opens it. */
async function showMenu(): Promise<void> {
  const items: readonly MenuItem[] = [
    { label: '$(debug-alt) Trace this rule on a request', command: 'tollgate.traceRule' },
    { label: '$(debug-alt-small) Trace the policy on a request', command: 'tollgate.tracePolicy' },
    { label: '$(history) Replay on recorded traffic', command: 'tollgate.replayTraffic' },
    ...(workspace.isTrusted
      ? [
          { label: '$(git-compare) Show the impact against HEAD', command: 'tollgate.showImpact' },
          { label: '$(graph) Show the impact on recorded traffic', command: 'tollgate.showTrafficImpact' },
        ]
      : [{ label: '$(workspace-untrusted) Manage workspace trust', command: 'workbench.trust.manage' }]),
    { label: '$(question) Explain a code', command: 'tollgate.explainCode' },
    { label: '$(list-flat) Show all problems', command: 'workbench.actions.view.problems' },
    { label: '$(output) Show the log', command: 'tollgate.showLog' },
  ];
  const item = await window.showQuickPick(items, { title: 'Tollgate' });
  if (item) await commands.executeCommand(item.command);
}

/** Shows the reference page of a code: the given one, that of a finding at the cursor, or one that the user picks. */
async function explainCode(session: Session, given?: unknown): Promise<void> {
  const code = typeof given === 'string' ? given : ((await codeAtCursor()) ?? (await pickCode(session)));
  if (code === undefined) return;
  const result = await session.run(['explain', code, '--format', 'markdown'], { directory: homeOf(session) });
  if (result.code !== 0) return void window.showWarningMessage(`Tollgate: ${result.errors.trim()}`);
  session.panel.show(code, await rendered(code, result.output));
}

/** Any directory that has no settings of a repository. */
function homeOf({ context }: Session): string {
  return context.extensionPath;
}

async function rendered(code: string, page: string): Promise<Html> {
  const text = page.replace(/^## .*\n/, '');
  // Part of every VS Code, and can be disabled like any other extension.
  const markup = await commands.executeCommand<string>('markdown.api.render', text).then(
    one => one,
    () => undefined,
  );
  const body = markup === undefined ? element('pre', {}, text) : { markup };
  return fragment(heading(code, { label: '' }), element('article', {}, body));
}

async function codeAtCursor(): Promise<string | undefined> {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { active } = editor.selection;
  const ours = languages.getDiagnostics(editor.document.uri).filter(({ source }) => source === 'tollgate');
  const codes = [...new Set(ours.filter(({ range }) => range.contains(active)).flatMap(codeOf))];
  return codes.length > 1 ? window.showQuickPick(codes, { title: 'Explain which code?' }) : codes[0];
}

function codeOf({ code }: Diagnostic): readonly string[] {
  const value = typeof code === 'object' ? code.value : code;
  return value === undefined ? [] : [String(value)];
}

async function pickCode(session: Session): Promise<string | undefined> {
  const { output } = await session.run(['explain', '--format', 'json'], { directory: homeOf(session) });
  const known = JSON.parse(output || '[]') as readonly { readonly code: string; readonly summary: string }[];
  const items = known.map(({ code, summary }) => ({ label: code, description: summary }));
  const item = await window.showQuickPick(items, { title: 'Explain which code?', matchOnDescription: true });
  return item?.label;
}
