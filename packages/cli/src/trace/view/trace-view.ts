import type { Phase } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import type { MappedText } from '@tollgate/policy';
import type { ActionTrace, Decision, RuleResult } from '@tollgate/simulator';
import type { Change } from './changes.ts';
import type { SubExpression } from './sub-expression.ts';

/** What a policy did to an exchange, as every report tells it. */
export interface TraceView {
  readonly decision: Decision;
  readonly rules: readonly RuleView[];
  /** Of the route, where there is one. */
  readonly modules: readonly ModuleView[];
}

/** What one rule did, and why. */
export interface RuleView {
  readonly phase: Phase;
  /** One-based, in its phase. */
  readonly number: number;
  readonly name: string | undefined;
  readonly range: Range;
  readonly result: RuleResult;
  /** In one sentence, without the subject: `because …`, `needs …`. Undefined where there is nothing to explain. */
  readonly reason: string | undefined;
  readonly expressions: readonly ExpressionView[];
  readonly actions: readonly ActionView[];
}

/** An expression with the values of its parts. */
export interface ExpressionView {
  readonly source: string;
  /** The text of the document that holds it, at `offset`; undefined for what an action asks by itself. */
  readonly text: MappedText | undefined;
  readonly offset: number;
  readonly root: SubExpression;
}

/** What one action did. */
export interface ActionView {
  readonly type: string;
  readonly range: Range;
  /** Undefined for one that did not run. */
  readonly trace: ActionTrace | undefined;
  readonly changes: readonly Change[];
  /** The expressions in its configuration, in the order of the document, then those that it asks by itself. */
  readonly filled: readonly ExpressionView[];
}

/** What one module of a route did. */
export interface ModuleView {
  readonly name: string;
  readonly result: RuleResult;
  readonly changes: readonly Change[];
}
