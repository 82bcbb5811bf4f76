import { availableParallelism } from 'node:os';
import type { Policy } from '@tollgate/policy';
import { dependsOnOrder } from '@tollgate/simulator';
import { splitTraffic, type TrafficPart } from '@tollgate/traffic';
import { totalSize } from '../../traffic/total-size.ts';
import type { ReplayArguments } from '../options/replay-options.ts';

/** The distribution of a replay over threads. */
export interface ThreadPlan {
  readonly threads: number;
  /** In the order of the traffic; empty for one thread. */
  readonly parts: readonly TrafficPart[];
  /** Why there are fewer threads than requested. */
  readonly remark?: string;
}

/** Starting a thread takes about 100 ms. Smaller traffic finishes sooner on one. */
const MIN_BYTES_FOR_THREADS = 128 * 1024 * 1024;
const MIN_PART_BYTES = 4 * 1024 * 1024;
/** More parts balance better and free memory sooner, but their results must be merged. */
const PARTS_PER_THREAD = 3;
/** Default maximum. With more threads, reading is the bottleneck. */
const MAX_THREADS = 8;

/** Decides how many threads to use. */
export async function planThreads(args: ReplayArguments, policy: Policy): Promise<ThreadPlan> {
  const wanted = args.threads ?? (await defaultThreads(args.files));
  if (wanted === 1) return ONE;
  const reason = reasonForOne(args, policy);
  if (reason !== undefined) return withRemark(args, reason);
  const total = (await totalSize(args.files)) ?? 0;
  const partBytes = Math.max(MIN_PART_BYTES, Math.floor(total / (wanted * PARTS_PER_THREAD)));
  const parts = await Promise.all(args.files.map(file => splitTraffic(file, args.traffic, partBytes)));
  const all = parts.flat();
  const threads = Math.min(wanted, all.length);
  return threads === 1 ? withRemark(args, 'the traffic is small or cannot be split') : { threads, parts: all };
}

const ONE: ThreadPlan = { threads: 1, parts: [] };

async function defaultThreads(files: readonly string[]): Promise<number> {
  const total = await totalSize(files);
  return total !== undefined && total >= MIN_BYTES_FOR_THREADS ? Math.min(availableParallelism(), MAX_THREADS) : 1;
}

/** Without `--threads`, no explanation is needed. */
function withRemark({ threads }: ReplayArguments, reason: string): ThreadPlan {
  return threads === undefined ? ONE : { ...ONE, remark: `replaying on one thread: ${reason}` };
}

function reasonForOne(args: ReplayArguments, policy: Policy) {
  const { policy: argument, files, seed, traffic, format = [] } = args;
  const counting = dependsOnOrder(policy);
  if (counting !== undefined) return `\`${counting}\` keeps state across exchanges`;
  if (seed !== undefined) return 'random results of `--seed` depend on the position of each exchange';
  if (traffic.strict === true) return '`--strict` stops at the first record that cannot be read';
  if (argument === '-' || files.includes('-')) return 'standard input cannot be split';
  if (format.some(one => one.startsWith('ndjson') || one.startsWith('decisions')))
    return 'a list of decisions keeps the order of the traffic';
  if ([args.where, args.sample, args.since, args.until].some(one => one !== undefined))
    return 'only some exchanges are selected';
  return undefined;
}
