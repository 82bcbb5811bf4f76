import { dirname } from 'node:path';
import { type QuickPickItem, type TextDocument, type Uri, window, workspace } from 'vscode';
import { type NamedPolicy, policyDocument, ruleAt } from './policy-at-cursor.ts';
import { parseRequest } from './request-input.ts';
import { type Session, showReport } from './show-report.ts';
import { type TraceReport, tracePage } from './trace-page.ts';

/** Where the last requests are kept. */
const RECENT = 'tollgate.recentRequests';
const MOST_RECENT = 10;
const SAMPLE = 'https://example.com/';

/** Traces one rule: the given one, or the one at the cursor. */
export async function traceRule(session: Session, uri?: Uri | string, phase?: string, number?: number): Promise<void> {
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
export async function tracePolicy(session: Session, uri?: Uri | string): Promise<void> {
  const policy = await policyDocument(uri);
  if (policy) await trace(session, policy, []);
}

async function trace(session: Session, policy: NamedPolicy, shown: readonly string[]): Promise<void> {
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
async function chooseRequest(session: Session, document: TextDocument): Promise<readonly string[] | undefined> {
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
  await session.context.workspaceState.update(RECENT, [...new Set([line, ...recent])].slice(0, MOST_RECENT));
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
