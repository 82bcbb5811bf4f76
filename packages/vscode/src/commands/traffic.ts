import { isAbsolute, join } from 'node:path';
import { type QuickPickItem, type TextDocument, window, workspace } from 'vscode';
import type { Session } from './session.ts';

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
export function readingOptions(document: TextDocument): readonly string[] {
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
export async function chooseTraffic(
  { context }: Session,
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
