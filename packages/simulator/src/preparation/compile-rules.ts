import {
  type Activation,
  type Conditions,
  compileConditions,
  type Environment,
  indexConditions,
  type NonValue,
  type TypedAst,
} from '@tollgate/cel';

/** The number of rules from which an index is faster than evaluating every condition. */
export const MANY_RULES = 64;

/** The conditions of a phase's rules. */
interface RuleConditions extends Conditions {
  /** Calls `visit` for each rule that may match, in order, until it returns false. */
  readonly visit: (activation: Activation, visit: VisitRule) => void;
}

/** Receives the result of a rule's condition; returns whether to continue. */
export type VisitRule = (rule: number, result: true | NonValue) => boolean;

/** Compiles the conditions of a phase's rules, with an index if there are many. */
export function compileRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  return rules.length < MANY_RULES ? evaluatedRules(rules, environment) : indexedRules(rules, environment);
}

function evaluatedRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  const { evaluateAll } = compileConditions(rules, environment);
  const results: (boolean | NonValue)[] = rules.map(() => false);
  return {
    evaluateAll,
    visit: (activation, visit) => {
      evaluateAll(activation, results);
      for (let rule = 0; rule < results.length; rule++) {
        const result = results[rule]!;
        if (result !== false && !visit(rule, result)) return;
      }
    },
  };
}

function indexedRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  const indexed = indexConditions(rules, environment);
  return {
    evaluateAll: (activation, results) => {
      results.length = 0;
      for (let rule = 0; rule < rules.length; rule++) results.push(false);
      indexed.evaluate(activation, (rule, result) => {
        results[rule] = result;
        return true;
      });
    },
    visit: indexed.evaluate,
  };
}
