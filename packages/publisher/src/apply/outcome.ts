import type { ModuleName } from '../model/record.ts';

/**
 * What a target holds after an apply. `written`: the new modules. `unchanged`: the old ones; nothing was written, or the write did not happen.
 * `restored`: the old ones again. `not restored`: the new ones, or a mix of modules, although an apply that failed should have restored it.
 * `conflict`: somebody else has changed it; their configuration was left alone. `unknown`: it cannot be read.
 */
export type TargetState = 'written' | 'unchanged' | 'restored' | 'not restored' | 'conflict' | 'unknown';

/** The result for one target. */
export interface TargetOutcome {
  readonly target: string;
  readonly state: TargetState;
  /** Why the target is not `written`; undefined if it is. */
  readonly reason: string | undefined;
  readonly modules: readonly ModuleOutcome[];
  /** Why other machines do not know of the run; absent if they do. */
  readonly unshared?: string;
}

/** What a module holds. */
export interface ModuleOutcome {
  readonly module: ModuleName;
  readonly holds: ModuleState;
}

/** What was read back from a module: what it was, what it was to become, or neither; or it could not be read. */
export type ModuleState = 'before' | 'after' | 'foreign' | 'unknown';

/** The result of an apply. */
export interface ApplyOutcome {
  /** In the order of the plan. */
  readonly targets: readonly TargetOutcome[];
  readonly isInterrupted: boolean;
  /** Whether something other than a conflict prevented a target from being written. */
  readonly isFailed: boolean;
  /** Whether the server offers entity tags. Without them, conflicts are detected but not excluded. */
  readonly hasTags: boolean | undefined;
}
