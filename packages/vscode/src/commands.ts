// The commands of the editor: on a policy and a request (traces), on a policy and recorded traffic, and on codes.

import { dirname, isAbsolute, join } from 'node:path';
import {
  commands,
  type Diagnostic,
  type Disposable,
  type LogOutputChannel,
  languages,
  type QuickPickItem,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { element, fragment, type Html, heading } from './page.ts';
import { type NamedPolicy, openLocation, openRule, policyDocument, ruleAt } from './policy-at-cursor.ts';
import { parseRequest } from './request-input.ts';
import { type CommandSession, showReport } from './show-report.ts';
import { type TraceReport, tracePage } from './trace-page.ts';
import {
  type DiffReport,
  impactPage,
  type ReplayReport,
  type RuleOfInterest,
  replayPage,
  type TrafficImpactReport,
  trafficImpactPage,
} from './traffic-pages.ts';

/** Registers all commands but those of tests. */
export function registerCommands(session: CommandSession, log: LogOutputChannel): readonly Disposable[] {
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
async function explainCode(session: CommandSession, given?: unknown): Promise<void> {
  const code = typeof given === 'string' ? given : ((await codeAtCursor()) ?? (await pickCode(session)));
  if (code === undefined) return;
  const result = await session.run(['explain', code, '--format', 'markdown'], { directory: homeOf(session) });
  if (result.code !== 0) return void window.showWarningMessage(`Tollgate: ${result.errors.trim()}`);
  session.panel.show(code, await rendered(code, result.output));
}

/** Any directory that has no settings of a repository. */
function homeOf({ context }: CommandSession): string {
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

async function pickCode(session: CommandSession): Promise<string | undefined> {
  const { output } = await session.run(['explain', '--format', 'json'], { directory: homeOf(session) });
  const known = JSON.parse(output || '[]') as readonly { readonly code: string; readonly summary: string }[];
  const items = known.map(({ code, summary }) => ({ label: code, description: summary }));
  const item = await window.showQuickPick(items, { title: 'Explain which code?', matchOnDescription: true });
  return item?.label;
}

/** Where the last requests are kept. */
const RECENT = 'tollgate.recentRequests';
const MAX_RECENT = 10;
const SAMPLE = 'https://example.com/';

/** Traces one rule: the given one, or the one at the cursor. */
async function traceRule(session: CommandSession, uri?: Uri | string, phase?: string, number?: number): Promise<void> {
  const policy = await policyDocument(uri);
  if (!policy) return;
  const { document } = policy;
  const editor = window.activeTextEditor;
  const isGiven = typeof phase === 'string' && number !== undefined;
  const cursor = editor?.document === document ? editor.selection.active : undefined;
  const rule = isGiven ? { phase, number } : cursor && (await ruleAt(document.uri, cursor));
  if (!rule) return void window.showWarningMessage('Tollgate: place the cursor in a rule.');
  await trace(session, policy, ['--rule', `${rule.phase} ${rule.number}`]);
}

/** Traces all rules of a policy. */
async function tracePolicy(session: CommandSession, uri?: Uri | string): Promise<void> {
  const policy = await policyDocument(uri);
  if (policy) await trace(session, policy, []);
}

async function trace(session: CommandSession, policy: NamedPolicy, shown: readonly string[]): Promise<void> {
  const request = await chooseRequest(session, policy.document);
  if (!request) return;
  await showReport<TraceReport>(session, {
    what: 'Trace',
    policy,
    args: ['trace', '--format', 'json', '--color', 'never', policy.argument, ...request, ...shown],
    codes: [0],
    page: tracePage,
  });
}

interface RequestItem extends QuickPickItem {
  readonly request?: string;
  readonly opens?: 'input' | 'recording';
}

/** Asks for a request and returns it as arguments; undefined if the user gives up. */
async function chooseRequest(session: CommandSession, document: TextDocument): Promise<readonly string[] | undefined> {
  const recent = session.context.workspaceState.get<readonly string[]>(RECENT, []);
  const suggested = workspace.getConfiguration('tollgate', document).get('trace.request', '');
  const known = [...new Set([suggested, ...recent, SAMPLE].filter(one => one !== ''))];
  const offered: readonly RequestItem[] = [
    {
      label: '$(edit) Describe a request…',
      description: "-X POST -H 'X-Key: 1' https://shop.example/",
      opens: 'input',
    },
    { label: '$(history) Take one from a recording…', description: 'entry of a log or HAR file', opens: 'recording' },
    ...known.map(request => ({ label: request, request })),
  ];
  const item = await pickOrType(offered);
  if (item?.opens === 'recording') return recordedRequest(document);
  const line = item?.request ?? (item && (await askRequest(known[0] ?? SAMPLE)));
  const parsed = line === undefined ? undefined : parseRequest(line);
  if (!parsed || line === undefined || 'problem' in parsed) return undefined;
  await session.context.workspaceState.update(RECENT, [...new Set([line, ...recent])].slice(0, MAX_RECENT));
  return parsed.args;
}

/** Shows the list. What is typed or pasted instead, a URL or a command for curl, is an item of its own as soon as it is a request. */
function pickOrType(offered: readonly RequestItem[]): Promise<RequestItem | undefined> {
  const list = window.createQuickPick<RequestItem>();
  list.title = 'Trace on which request?';
  list.placeholder = 'Choose one, or type a URL, or paste a curl command';
  list.items = offered;
  list.matchOnDescription = true;
  list.onDidChangeValue(value => {
    const line = value.trim();
    const parsed = parseRequest(line);
    const isRequest = !('problem' in parsed) && (/^(?:curl|-|\/)/.test(line) || /[.:/]/.test(line));
    const problem = /^(?:curl|-)\s?/.test(line) && 'problem' in parsed ? parsed.problem : undefined;
    const typed = {
      label: `$(${problem ? 'warning' : 'play'}) ${line}`,
      description: problem ?? 'trace this request',
      alwaysShow: true,
    };
    const item = isRequest ? [{ ...typed, request: line }] : problem === undefined ? [] : [typed];
    list.items = [...item, ...offered];
  });
  return new Promise(resolve => {
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      // A command that is not complete stays in the field.
      if (item && item.request === undefined && item.opens === undefined) return;
      resolve(item);
      list.dispose();
    });
    list.onDidHide(() => resolve(undefined));
    list.show();
  });
}

function askRequest(value: string): Thenable<string | undefined> {
  return window.showInputBox({
    title: 'Request to trace',
    prompt: 'URL with curl-style options: -X, -H, -d, --client-ip, --country, --tls, --incomplete',
    value,
    ignoreFocusOut: true,
    validateInput: line => {
      const parsed = parseRequest(line);
      return 'problem' in parsed ? parsed.problem : undefined;
    },
  });
}

async function recordedRequest(document: TextDocument): Promise<readonly string[] | undefined> {
  const defaultUri = document.uri.with({ path: dirname(document.uri.path) });
  const [file] = (await window.showOpenDialog({ title: 'Recording', defaultUri })) ?? [];
  if (!file) return undefined;
  const number = await window.showInputBox({
    title: 'Number of the record, from 1',
    value: '1',
    validateInput: text => (/^[1-9]\d{0,11}$/.test(text) ? undefined : 'a number, from 1'),
  });
  return number === undefined ? undefined : ['--request', `${file.fsPath}#${number}`];
}

/** Replays recorded traffic through a policy, and shows hits next to its rules. If a rule is given, its line is highlighted. */
async function replayTraffic(session: CommandSession, uri?: Uri | string, interest?: RuleOfInterest): Promise<void> {
  const policy = await policyDocument(uri);
  const traffic = policy && (await chooseTraffic(session, policy.document));
  if (!policy || !traffic) return;
  const { document, part, argument } = policy;
  await showReport<ReplayReport>(session, {
    what: 'Replay',
    policy,
    args: [
      ...['replay', '--format', 'json', '--quiet', '--color', 'never'],
      ...[...readingOptions(document), argument, ...traffic],
    ],
    codes: [0],
    page: (report, subject) => replayPage(report, subject, interest),
    onReport: report => void session.server.showHits(document.uri, part, report),
  });
}

const REVISION = 'HEAD';

/** Shows which requests the policy decides differently than the committed one. */
async function showImpact(session: CommandSession, uri?: Uri | string): Promise<void> {
  const policy = await trustedPolicy(uri);
  if (!policy) return;
  const { document, argument } = policy;
  const [target] = (await session.server.summarize(document))?.targets ?? [];
  const chosen = target ? ['--profile', target.profile, '--endpoint', target.endpoint] : [];
  await showReport<DiffReport>(session, {
    what: 'Impact',
    policy,
    args: ['diff', '--format', 'json', '--color', 'never', ...chosen, `git:${REVISION}`, argument],
    codes: [0, 1],
    page: (report, subject) => impactPage(report, subject, REVISION),
  });
}

/** Shows what becomes of recorded traffic that the policy decides differently than the committed one. */
async function showTrafficImpact(session: CommandSession, uri?: Uri | string): Promise<void> {
  const policy = await trustedPolicy(uri);
  const traffic = policy && (await chooseTraffic(session, policy.document));
  if (!policy || !traffic) return;
  await showReport<TrafficImpactReport>(session, {
    what: 'Impact',
    policy,
    args: [
      ...['impact', '--format', 'json', '--no-progress', '--color', 'never'],
      ...[...readingOptions(policy.document), `git:${REVISION}`, policy.argument, ...traffic],
    ],
    codes: [0],
    page: (report, subject) => trafficImpactPage(report, subject, REVISION),
  });
}

/** Git is started in trusted workspaces only, although no filter or hook of the repository runs. */
async function trustedPolicy(uri: Uri | string | undefined): Promise<NamedPolicy | undefined> {
  if (workspace.isTrusted) return policyDocument(uri);
  void window.showWarningMessage('Tollgate: trust this workspace to compare with Git.');
  return undefined;
}

/** Where the last choice is kept. */
const LAST = 'tollgate.lastTraffic';
const RECORDINGS = '**/*.{log,har,jsonl,ndjson,csv,parquet,log.gz,jsonl.gz,log.zst}';
const MOST = 200;

interface ReadingOptions {
  readonly origin?: string;
  readonly trafficFormat?: string;
  readonly logFormat?: string;
}

/** Returns how the settings say that recordings are read, as arguments. */
function readingOptions(document: TextDocument): readonly string[] {
  const given = workspace.getConfiguration('tollgate', document).get<ReadingOptions>('replay.options', {});
  const pairs = [
    ['--origin', given.origin],
    ['--traffic-format', given.trafficFormat],
    ['--log-format', given.logFormat],
  ] as const;
  return pairs.flatMap(([option, value]) => (typeof value === 'string' && value !== '' ? [option, value] : []));
}

interface TrafficItem extends QuickPickItem {
  readonly paths?: readonly string[];
}

/** Returns the recordings that the settings name, or that the user picks. */
async function chooseTraffic(
  { context }: CommandSession,
  document: TextDocument,
): Promise<readonly string[] | undefined> {
  const folder = workspace.getWorkspaceFolder(document.uri);
  const set = workspace.getConfiguration('tollgate', document).get<readonly string[]>('replay.traffic', []);
  if (set.length > 0) return set.map(one => (isAbsolute(one) || !folder ? one : join(folder.uri.fsPath, one)));
  const found = await workspace.findFiles(RECORDINGS, '**/node_modules/**', MOST);
  const last = context.workspaceState.get<readonly string[]>(LAST, []);
  const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const items: readonly TrafficItem[] = [
    ...(last.length > 0
      ? [{ label: last.map(one => workspace.asRelativePath(one)).join(', '), description: 'last', paths: last }]
      : []),
    ...sorted.map(one => ({ label: workspace.asRelativePath(one), paths: [one.fsPath] })),
    { label: '$(folder-opened) Choose files…' },
  ];
  const item = await window.showQuickPick(items, { title: 'Replay which traffic?' });
  if (!item) return undefined;
  const paths = item.paths ?? (await openFiles());
  if (paths) await context.workspaceState.update(LAST, paths);
  return paths;
}

async function openFiles(): Promise<readonly string[] | undefined> {
  const chosen = await window.showOpenDialog({ title: 'Recorded traffic', canSelectMany: true });
  return chosen?.map(({ fsPath }) => fsPath);
}
