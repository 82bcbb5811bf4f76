import type { Profile } from '@tollgate/catalog';
import { BOOL, INT, listOf, type ObjectDecl, STRING, Unknown } from '@tollgate/cel';
import { DECISION_VARIABLES, type Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { Verdict } from '../decision/verdict.ts';
import type { Outcome } from '../effects/model/effect.ts';

/** Name of the type of {@link DecisionValue} in CEL. */
export const DECISION_TYPE = 'tollgate.Decision';

const TYPES = { bool: BOOL, int: INT, string: STRING, 'list(string)': listOf(STRING) } as const;

const PARTS: Readonly<Record<keyof DecisionValue, true>> = {
  ...{ outcome: true, status: true, action: true, rules: true, names: true },
};

/** What expressions about traffic can read of a decision: of what invariants can, the parts that a verdict has. */
export const DECISION_OBJECT: ObjectDecl = {
  name: DECISION_TYPE,
  fields: new Map(
    DECISION_VARIABLES.flatMap(({ path, type, doc }) => {
      const name = path.slice('decision.'.length);
      return isPart(name) ? [[name, { type: TYPES[type], doc }] as const] : [];
    }),
  ),
};

function isPart(name: string): name is keyof DecisionValue {
  return Object.hasOwn(PARTS, name);
}

/** A decision with one of its possible outcomes, as a value for expressions. */
export interface DecisionValue {
  readonly outcome: string;
  readonly status: number | Unknown;
  readonly action: string;
  readonly rules: readonly string[] | Unknown;
  readonly names: readonly string[] | Unknown;
}

/** Returns a decision as values for expressions: one for each possible outcome. */
export type DecisionValuesOf = (exchange: Exchange, verdict: Verdict) => readonly DecisionValue[];

/** @param name the variable, which unknown parts are named after */
export function decisionValuesOf(policy: Policy, profile: Profile, name: string): DecisionValuesOf {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  return (exchange, verdict) => {
    const { outcomes, hits } = verdict;
    const isOpen = hits.some(({ result }) => result.status === 'undetermined');
    const matched = hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rules[rule]! : []));
    const listed = {
      rules: isOpen ? new Unknown([`${name}.rules`]) : matched.map(({ phase, index }) => `${phase} ${index + 1}`),
      names: isOpen ? new Unknown([`${name}.names`]) : matched.flatMap(one => one.name?.value ?? []),
    };
    return outcomes.map(outcome => ({
      outcome: outcome.kind,
      status: statusOf(outcome, verdict, exchange) ?? new Unknown([`${name}.status`]),
      action: outcome.action ?? '',
      ...listed,
    }));
  };
}

function statusOf(outcome: Outcome, { status }: Verdict, { response }: Exchange): number | undefined {
  if (outcome.status !== undefined) return outcome.status;
  if (outcome.kind === 'closed' || status === 'closed') return 0;
  if (status === 'recorded') return response?.status;
  return typeof status === 'number' ? status : undefined;
}
