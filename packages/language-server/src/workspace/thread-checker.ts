import type { TextEdit } from '@tollgate/diagnostics';
import type { CheckThread } from '../host.ts';
import type { Task, ThreadAnswer, ThreadMessage } from './serve-checks.ts';
import { type Checked, type Checker, localChecker, type Workspace } from './workspace.ts';

/** What a checker in another thread needs. */
export interface ThreadOptions {
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
