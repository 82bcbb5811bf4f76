import { type TypedAst, Unknown } from '@tollgate/cel';
import { type Claim, invariantContext } from '@tollgate/policy';
import { exchangeExpression } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/graph.ts';
import type { Session } from '../policy/session.ts';
import { readCondition } from '../reader/read-condition.ts';
import type { DecisionPath } from './decision-paths.ts';
import { labelOf } from './decision-values.ts';
import type { DecisionValues } from './expected-decision.ts';

/** What contradicts a claim. */
export interface Violation {
  /** Returns the signal that holds on a path wherever the claim is violated. */
  readonly on: (path: DecisionPath) => Signal;
  /** Returns true if an exchange with this decision violates the claim. */
  readonly isShownBy: (exchange: Exchange, decision: DecisionValues) => boolean;
}

/** A claim that is written as expressions. */
export type SentenceClaim = Extract<Claim, { readonly typed: TypedAst }>;

/** A claim about one rule. */
export type RuleClaim = Exclude<Claim, SentenceClaim>;

/** Returns what contradicts a claim that is written as expressions. */
export function violationOf(claim: SentenceClaim, session: Session): Violation {
  const { profile, endpoint } = session.context;
  const context = invariantContext(profile, endpoint);
  const evaluate = exchangeExpression(claim.typed, context);
  const evaluateWhen = claim.kind === 'implies' ? exchangeExpression(claim.when, context) : undefined;
  return {
    on: ({ definitionOf }) => {
      const reading = { ...session.reading(context.place.phase), versionOf: () => '', definitionOf };
      const read = (typed: TypedAst) => readCondition(typed, context.environment, reading).whenTrue;
      const claimed = read(claim.typed);
      if (claim.kind === 'implies') return session.vocabulary.graph.and([read(claim.when), -claimed]);
      return claim.kind === 'never' ? claimed : -claimed;
    },
    isShownBy: (exchange, decision) => {
      const claimed = evaluate(exchange, { decision });
      if (claim.kind === 'never') return claimed === true;
      if (claimed === true || claimed instanceof Unknown) return false;
      return evaluateWhen === undefined || evaluateWhen(exchange, { decision }) === true;
    },
  };
}

/** Returns what contradicts a claim about a rule: a decision in which it matches, or fails. */
export function ruleViolation({ kind, rule }: RuleClaim, session: Session): Violation {
  const key = kind === 'unreachable' ? 'rules' : 'failed';
  const label = labelOf(rule);
  return {
    on: ({ definitionOf }) => {
      const definition = definitionOf(`decision.${key}`);
      const members = definition?.kind === 'members' ? definition.members : [];
      return session.vocabulary.graph.or(members.filter(({ text }) => text === label).map(({ when }) => when));
    },
    isShownBy: (_, { [key]: rules }) => Array.isArray(rules) && rules.includes(label),
  };
}
