import type { Phase } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import type { Exchange } from '@tollgate/traffic';
import { allOf, anyOf, type Condition } from '../logic/condition.ts';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import { readCondition } from '../reader/read-condition.ts';
import { OverlapIndex } from './overlap-index.ts';
import type { Sample, Session } from './session.ts';
import { SignalList } from './signal-list.ts';

/**
 * Questions about the conditions of one phase, before any rule changed anything. Answers are proofs if they are true; false also means that
 * there was no proof.
 */
export class ConditionQuestions {
  readonly #session: Session;
  readonly #phase: Phase;
  readonly #contingent = new Map<string, boolean>();

  constructor(session: Session, phase: Phase) {
    this.#session = session;
    this.#phase = phase;
  }

  /** Reads an expression, or a part of it that is outside of its loops. */
  read(typed: TypedAst, root: Expr = typed.ast.root): Condition {
    const { context } = this.#session;
    const reading = { ...this.#session.reading(this.#phase), versionOf: () => '' };
    return readCondition({ ...typed, ast: { ...typed.ast, root } }, context.environments[this.#phase], reading);
  }

  /** Returns `&&` of all operands. */
  allOf(operands: readonly Condition[]): Condition {
    return allOf(this.#session.vocabulary.graph, operands);
  }

  /** Returns `||` of all operands. */
  anyOf(operands: readonly Condition[]): Condition {
    return anyOf(this.#session.vocabulary.graph, operands);
  }

  /** Returns true if the condition holds for no input. */
  isUnsatisfiable({ whenTrue }: Condition): boolean {
    return this.#isImpossible([whenTrue]);
  }

  /** Returns true if the condition holds for every input. */
  isTautology({ whenTrue }: Condition): boolean {
    return this.#isImpossible([-whenTrue]);
  }

  /** Returns true if the condition is false for no input: it holds or fails. */
  isNeverFalse({ whenFalse }: Condition): boolean {
    return this.#isImpossible([whenFalse]);
  }

  /** Returns true if the second condition holds wherever the first one does. */
  implies(a: Condition, b: Condition): boolean {
    return a.whenTrue === b.whenTrue || this.#isImpossible([a.whenTrue, -b.whenTrue]);
  }

  /** Returns true if no input satisfies both conditions. */
  areDisjoint(a: Condition, b: Condition): boolean {
    return this.#isImpossible([a.whenTrue, b.whenTrue]);
  }

  /** Returns true if the condition may be true and may be false. */
  isContingent(condition: Condition): boolean {
    const key = `${condition.whenTrue}:${condition.whenFalse}`;
    let answer = this.#contingent.get(key);
    if (answer === undefined) {
      const { whenTrue, whenFalse } = condition;
      answer = [whenTrue, whenFalse].every(signal => this.#session.isFree(signal) || !this.#isImpossible([signal]));
      this.#contingent.set(key, answer);
    }
    return answer;
  }

  /**
   * Returns the positions of conditions that together hold wherever another one does, a single one if possible. No position can be dropped.
   * Undefined if coverage cannot be proved.
   */
  covering(conditions: readonly Condition[], condition: Condition): readonly number[] | undefined {
    const goals = conditions.map(one => -one.whenTrue);
    const answer = this.#session.contradiction([condition.whenTrue, ...goals]);
    if (answer === undefined) return undefined;
    let needed = conditions.flatMap((_, at) => (answer.includes(goals[at]!) ? [at] : []));
    const isCovered = (by: readonly number[]) => this.#isImpossible([condition.whenTrue, ...by.map(at => goals[at]!)]);
    const single = needed.length > 1 ? needed.find(at => isCovered([at])) : undefined;
    if (single !== undefined) return [single];
    for (const at of needed) {
      const fewer = needed.filter(other => other !== at);
      if (fewer.length > 0 && isCovered(fewer)) needed = fewer;
    }
    return needed;
  }

  /** Returns values under which a condition holds, to try other conditions on; undefined if none were found. */
  sampleWhere(condition: Condition): Sample | undefined {
    const found = this.#session.sample([condition.whenTrue]);
    return found.kind === 'found' ? found.sample : undefined;
  }

  /** Returns conditions, in order, of which the first that holds for values is found fast. One that is missing always holds. */
  inOrder(conditions: readonly (Condition | undefined)[]): SignalList {
    return new SignalList(
      conditions.map(one => one?.whenTrue ?? TRUE),
      this.#session.vocabulary,
    );
  }

  /** Returns conditions, in order, for looking up those that may hold together with one of them. One that is missing may always hold. */
  overlaps(conditions: readonly (Condition | undefined)[]): OverlapIndex {
    return new OverlapIndex(
      conditions.map(one => one?.whenTrue ?? TRUE),
      this.#session.vocabulary,
    );
  }

  /** Returns true if two conditions can hold together, and neither implies the other. */
  overlapInPart(a: Condition, b: Condition): boolean {
    if (this.#session.areFree([a.whenTrue, b.whenTrue])) return true;
    if (this.#session.sample([a.whenTrue, b.whenTrue]).kind !== 'found') return false;
    return !this.implies(a, b) && !this.implies(b, a);
  }

  /** Returns exchanges on which some conditions should hold and others should not, the likeliest first; only the simulator can tell. */
  exchangesWhere(holding: readonly Condition[], failing: readonly Condition[]): readonly Exchange[] {
    const answer = this.#session.ask([...holding.map(one => one.whenTrue), ...failing.map(one => -one.whenTrue)]);
    return answer.kind === 'found' ? answer.exchanges : [];
  }

  #isImpossible(goals: readonly Signal[]): boolean {
    if (goals.includes(FALSE)) return true;
    return this.#session.contradiction(goals) !== undefined;
  }
}
