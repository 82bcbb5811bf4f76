import type { BreakdownOptions, PartData } from '@tollgate/simulator';
import type { TrafficPart } from '@tollgate/traffic';
import type { ReplayArguments } from '../options/replay-options.ts';

/** The data that a thread starts with. */
export interface ThreadSetup {
  readonly args: ReplayArguments;
  readonly breakdown: BreakdownOptions | undefined;
  /** The environment of the command, with its global options applied. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A request to replay a part. */
export interface PartRequest {
  readonly index: number;
  readonly part: TrafficPart;
}

/** A message from a thread. */
export type ThreadMessage =
  | { readonly kind: 'read'; readonly bytes: number; readonly exchanges: number }
  | { readonly kind: 'done'; readonly index: number; readonly data: PartData }
  /** An I/O error that affects all parts. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
