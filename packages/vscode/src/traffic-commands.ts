import { isAbsolute, join } from 'node:path';
import { type QuickPickItem, type TextDocument, type Uri, window, workspace } from 'vscode';
import { type NamedPolicy, policyDocument } from './policy-at-cursor.ts';
import { type Session, showReport } from './show-report.ts';
import {
  type DiffReport,
  impactPage,
  type ReplayReport,
  type RuleOfInterest,
  replayPage,
  type TrafficImpactReport,
  trafficImpactPage,
} from './traffic-pages.ts';

/** Replays recorded traffic through a policy, and shows hits next to its rules. If a rule is given, its line is highlighted. */
export async function replayTraffic(session: Session, uri?: Uri | string, interest?: RuleOfInterest): Promise<void> {
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
export async function showImpact(session: Session, uri?: Uri | string): Promise<void> {
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
export async function showTrafficImpact(session: Session, uri?: Uri | string): Promise<void> {
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
async function chooseTraffic({ context }: Session, document: TextDocument): Promise<readonly string[] | undefined> {
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
