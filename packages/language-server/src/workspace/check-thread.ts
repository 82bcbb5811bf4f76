// Checks of documents in another thread: the checker on this side, what serves it on the other, and the messages between them.

import type { TextEdit } from '@tollgate/diagnostics';
import type { CheckThread, Host, ThreadPort, Trust } from '../host.ts';
import { type Checked, type Checker, type Depth, localChecker, Workspace, type WorkspaceEvent } from './workspace.ts';

/** What a checker in another thread needs. */
interface ThreadOptions {
  readonly start: () => CheckThread;
  /** Reports a defect. */
  readonly log: (message: string) => void;
}

interface Running {
  readonly thread: CheckThread;
  readonly waiting: Map<number, (result: unknown) => void>;
}

/**
 * Returns a checker that works in another thread, so that edits and requests never wait for lint rules. The thread follows the open
 * documents of the workspace; it starts with the first task, and again after it has ended.
 */
export function threadChecker(workspace: Workspace, { start, log }: ThreadOptions): Checker {
  const here = localChecker(workspace);
  let running: Running | undefined;
  let lastId = 0;
  const begin = (): Running => {
    const thread = start();
    const now: Running = { thread, waiting: new Map() };
    thread.onMessage(message => {
      const { id, result, failure } = message as ThreadAnswer;
      if (failure !== undefined) log(failure);
      now.waiting.get(id)?.(result);
      now.waiting.delete(id);
    });
    thread.onEnd(() => {
      if (running === now) running = undefined;
      for (const resolve of now.waiting.values()) resolve(undefined);
    });
    for (const { uri, version, languageId, source } of workspace.sent) {
      const document = { uri, version, languageId };
      thread.post({ kind: 'event', event: { kind: 'open', document, text: source.text } } satisfies ThreadMessage);
    }
    return now;
  };
  workspace.onEvent = event => running?.thread.post({ kind: 'event', event } satisfies ThreadMessage);
  const run = <T>(task: Task): Promise<T | undefined> => {
    running ??= begin();
    const { thread, waiting } = running;
    const { trust, folders } = workspace;
    thread.post({ kind: 'setup', trust, folders: [...folders] } satisfies ThreadMessage);
    lastId += 1;
    const id = lastId;
    thread.post({ kind: 'task', id, task } satisfies ThreadMessage);
    return new Promise(resolve => waiting.set(id, result => resolve(result as T | undefined)));
  };
  return {
    check: (uri, depth) => run<Checked>({ kind: 'check', uri, depth }),
    // A person waits for the layout, and lint rules may take seconds: it does not queue behind them.
    format: uri => (running?.waiting.size ? here.format(uri) : run<readonly TextEdit[]>({ kind: 'format', uri })),
    fixAll: uri => run<TextEdit>({ kind: 'fixAll', uri }),
    end: () => running?.thread.end(),
  };
}

/** What a thread does for its workspace. */
type Task =
  | { readonly kind: 'check'; readonly uri: string; readonly depth: Depth }
  | { readonly kind: 'format'; readonly uri: string }
  | { readonly kind: 'fixAll'; readonly uri: string };

/** What a thread is sent. */
type ThreadMessage =
  | { readonly kind: 'setup'; readonly trust: Trust; readonly folders: readonly string[] }
  | { readonly kind: 'event'; readonly event: WorkspaceEvent }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task };

/** What a thread answers. */
interface ThreadAnswer {
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
