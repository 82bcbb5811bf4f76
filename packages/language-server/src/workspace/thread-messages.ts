import type { Trust } from '../project/project.ts';
import type { Depth } from './checker.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

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
