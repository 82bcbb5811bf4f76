import type { Type } from '../../types/type.ts';

/** A JavaScript variable that holds a value of the expression. */
export interface Local {
  readonly js: string;
  readonly type: Type;
  /** True if it may hold an error or unknown, which counts only where the variable is read. */
  readonly guarded: boolean;
  /** True if it holds unread host data. */
  readonly raw?: boolean;
}

/** A step from a value to a part of it, by a constant name or index. */
export interface Step {
  readonly kind: 'field' | 'key' | 'index';
  readonly name: string | number;
  readonly exprId: number;
  /** Static type of the result. */
  readonly type: Type;
}

/** A location that paths lead to. Equal paths share it, whichever expressions they are in. */
export interface PathTrieNode {
  /** Locations one step further. */
  readonly parts: Map<string | number, PathTrieNode>;
  /** How often it is read as the end of a path; reads in loops count twice. */
  reads: number;
  /** How many different paths lead through it. */
  passes: number;
  /** The variable that holds the unread value. */
  container: string | undefined;
  /** The variable that holds the value read, or an error or unknown. */
  local: Local | undefined;
}

/** A variable and constant steps into it: `req.Headers["Host"][0]`. */
export interface Path {
  readonly root: { readonly kind: 'variable' | 'local'; readonly name: string; readonly scope: number };
  readonly rootId: number;
  /** Static type of the value. */
  readonly type: Type;
  readonly steps: readonly Step[];
  /** The locations before the first step, after it, and so on. Equal paths share the last one. */
  readonly trieNodes: readonly PathTrieNode[];
}
