import type { Phase } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import type { MappedText } from '@tollgate/policy';
import type { ActionTrace, Decision, RuleResult } from '@tollgate/simulator';
import type { Change } from './changes.ts';
import type { SubExpression } from './sub-expression.ts';

/** What a policy did to an exchange, in the form that all reports render. */
export interface TraceView {
  readonly decision: Decision;
  readonly rules: readonly RuleView[];
  /** The modules of the route, if any. */
  readonly modules: readonly ModuleView[];
}

/** What one rule did, and why. */
export interface RuleView {
  readonly phase: Phase;
  /** One-based, within the phase. */
  readonly number: number;
  readonly name: string | undefined;
  readonly range: Range;
  readonly result: RuleResult;
  /** A sentence without its subject: `because …`, `needs …`. Undefined if there is nothing to explain. */
  readonly reason: string | undefined;
  readonly expressions: readonly ExpressionView[];
  readonly actions: readonly ActionView[];
}

/** An expression with the values of its subexpressions. */
export interface ExpressionView {
  readonly source: string;
  /** The document that contains it at `offset`; undefined for an expression that an action evaluates implicitly. */
  readonly text: MappedText | undefined;
  readonly offset: number;
  readonly root: SubExpression;
}

/** What one action did. */
export interface ActionView {
  readonly type: string;
  readonly range: Range;
  /** Undefined if it did not run. */
  readonly trace: ActionTrace | undefined;
  readonly changes: readonly Change[];
  /** The expressions in its configuration in document order, then those that it evaluates implicitly. */
  readonly filled: readonly ExpressionView[];
}

/** What one module of a route did. */
export interface ModuleView {
  readonly name: string;
  readonly result: RuleResult;
  readonly changes: readonly Change[];
}
