import type { BreakdownOptions, PartData } from '@tollgate/simulator';
import type { TrafficPart } from '@tollgate/traffic';
import type { ReplayArguments } from '../options/replay-options.ts';

/** What a thread is started with. */
export interface ThreadSetup {
  readonly args: ReplayArguments;
  readonly breakdown: BreakdownOptions | undefined;
  /** The environment of the command with what its options say. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a thread is asked for. */
export interface PartRequest {
  readonly index: number;
  readonly part: TrafficPart;
}

/** What a thread tells. */
export type ThreadMessage =
  | { readonly kind: 'read'; readonly bytes: number; readonly exchanges: number }
  | { readonly kind: 'done'; readonly index: number; readonly data: PartData }
  /** An I/O error that concerns all parts. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
