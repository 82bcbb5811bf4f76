import type { Type } from '../../types/type.ts';

/** A JavaScript variable that holds a value of the expression. */
export interface Local {
  readonly js: string;
  readonly type: Type;
  /** It may hold a NonValue, which counts only where the variable is read. */
  readonly guarded: boolean;
  /** It holds what the host passed, untested. */
  readonly raw?: boolean;
}

/** One step from a value to a part of it, by a name or position that stands in the source. */
export interface Step {
  readonly kind: 'field' | 'key' | 'index';
  readonly name: string | number;
  readonly exprId: number;
  /** Static type of what the step gives. */
  readonly type: Type;
}

/** A place that paths lead to. One for each, whatever expression the path stands in. */
export interface Place {
  /** Places one step further. */
  readonly parts: Map<string | number, Place>;
  /** How often it is read as the end of a path; a loop counts as twice. */
  reads: number;
  /** How many different paths lead on from it. */
  passes: number;
  /** The variable that holds what stands there, untested. */
  container: string | undefined;
  /** The variable that holds what was read there, a value of its type or a NonValue. */
  local: Local | undefined;
}

/** A variable and constant steps into it: `req.Headers["Host"][0]`. */
export interface Path {
  readonly root: { readonly kind: 'variable' | 'local'; readonly name: string; readonly scope: number };
  readonly rootId: number;
  /** Static type of what the path ends at. */
  readonly type: Type;
  readonly steps: readonly Step[];
  /** Where it stands before the first step, after it, and so on. The last is the same for all equal paths. */
  readonly places: readonly Place[];
}
