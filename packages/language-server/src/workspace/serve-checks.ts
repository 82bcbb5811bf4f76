import type { Host, ThreadPort, Trust } from '../host.ts';
import { type Depth, localChecker, Workspace, type WorkspaceEvent } from './workspace.ts';

/** What a thread does for its workspace. */
export type Task =
  | { readonly kind: 'check'; readonly uri: string; readonly depth: Depth }
  | { readonly kind: 'format'; readonly uri: string }
  | { readonly kind: 'fixAll'; readonly uri: string };

/** What a thread is sent. */
export type ThreadMessage =
  | { readonly kind: 'setup'; readonly trust: Trust; readonly folders: readonly string[] }
  | { readonly kind: 'event'; readonly event: WorkspaceEvent }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task };

/** What a thread answers. */
export interface ThreadAnswer {
  readonly id: number;
  readonly result: unknown;
  /** The stack of an error that is a defect of ours. */
  readonly failure?: string;
}

/** Checks documents for a language server in another thread. Never rejects. */
export function serveChecks(host: Host, port: ThreadPort): void {
  const workspace = new Workspace(host);
  const checker = localChecker(workspace);
  const run = ({ kind, uri, ...task }: Task) =>
    kind === 'check' ? checker.check(uri, 'depth' in task ? task.depth : 'fast') : checker[kind](uri);
  const answer = async (id: number, task: Task): Promise<ThreadAnswer> => {
    try {
      return { id, result: await run(task) };
    } catch (error) {
      return { id, result: undefined, failure: error instanceof Error ? (error.stack ?? '') : String(error) };
    }
  };
  let last = Promise.resolve();
  port.onMessage(data => {
    const message = data as ThreadMessage;
    if (message.kind === 'event') follow(message.event, workspace);
    else if (message.kind === 'setup') {
      workspace.trust = message.trust;
      workspace.folders.clear();
      for (const folder of message.folders) workspace.folders.add(folder);
    } else last = last.then(async () => port.post(await answer(message.id, message.task)));
  });
}

function follow(event: WorkspaceEvent, workspace: Workspace): void {
  switch (event.kind) {
    case 'open':
      workspace.open(event.document, event.text);
      break;
    case 'change':
      workspace.change(event.uri, event.version, event.edits);
      break;
    case 'close':
      workspace.close(event.uri);
      break;
    case 'settings':
      workspace.forgetSettings();
      break;
    case 'files':
      workspace.forgetFiles();
  }
}
