import type { Outcome } from './outcome-text.ts';

interface Range {
  readonly from: { readonly line: number; readonly character: number };
}

/** A subexpression with its values. */
export interface TracedPart {
  readonly text: string;
  readonly document?: Range;
  readonly operation: string;
  readonly count: number;
  readonly results: readonly {
    readonly text?: string;
    readonly error?: { readonly message: string };
    readonly needs?: readonly string[];
  }[];
  readonly parts: readonly TracedPart[];
}

/** An expression of a rule. */
export interface TracedExpression extends TracedPart {
  readonly source: string;
}

/** An action of a rule. */
export interface TracedAction {
  readonly type: string;
  readonly result: 'fired' | 'may-have-fired' | 'idle' | 'not-run';
  readonly changes?: readonly {
    readonly what: string;
    readonly before: { readonly text?: string } | null;
    readonly after: { readonly text?: string } | null;
  }[];
  readonly ending?: Outcome;
}

/** A rule and why it did or did not match. */
export interface TracedRule {
  readonly phase: string;
  readonly number: number;
  readonly name?: string;
  readonly status: 'matched' | 'not-matched' | 'failed' | 'undetermined' | 'not-reached';
  readonly reason?: string;
  readonly error?: { readonly message: string };
  readonly range: Range;
  readonly expressions: readonly TracedExpression[];
  readonly actions: readonly TracedAction[];
}

/** What `tollgate trace --format json` prints, as far as it is shown. */
export interface TraceReport {
  readonly exchange: { readonly method?: string; readonly url?: string; readonly target?: string };
  readonly rules: readonly TracedRule[];
  readonly outcomes: readonly Outcome[];
  readonly needs: readonly string[];
  readonly client: {
    readonly status?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  } | null;
  readonly upstream?: {
    readonly isAsked: boolean | null;
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
  };
}
