/** Compiles the conditions of all rules to one function, with an index where there are many; and splits them into conjuncts by input. */
import type { EvaluationContext, Profile } from '@tollgate/catalog';
import {
  type Activation,
  type Conditions,
  compileConditions,
  type Environment,
  indexConditions,
  type NonValue,
  readsOf,
  type TypedAst,
} from '@tollgate/cel';
import { conjunctsOf, hasLoop } from '@tollgate/cel/tooling';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { activationBuilder } from '../variables/activation.ts';
import { evaluateConjuncts, type PreparedConjuncts } from './condition-columns.ts';
import { type ConditionValue, conjunction } from './unclear-conditions.ts';

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

/** Where the rules are. */
export interface ConjunctsContext {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: EvaluationContext;
}

/** Compiles the conjuncts of rules, grouped by their inputs; undefined if a condition may have another result each time. */
export function prepareConjuncts(
  rules: readonly (readonly TypedAst[])[],
  { profile, environment, place }: ConjunctsContext,
): readonly PreparedConjuncts[] | undefined {
  const added = new Set(profile.functions.flatMap(fact => (fact.implementation ? fact.overloadId : [])));
  if (rules.flat().some(typed => calls(typed, added))) return undefined;
  return conjunctsByInput(rules).map(({ conjuncts }) => ready(conjuncts, { profile, environment, place }));
}

/**
 * Returns the result of a rule's condition that is unknown because of unclear headers: each group of its conjuncts is decided under every meaning
 * of the headers that it reads.
 */
type SettleRule = (rule: number, state: TrafficState, result: ConditionValue) => ConditionValue;

/** Prepares to decide conditions under the meanings of unclear headers. Rules are compiled when that is needed. */
export function prepareSettling(rules: readonly (readonly TypedAst[])[], context: ConjunctsContext): SettleRule {
  const prepared = new Map<number, readonly PreparedConjuncts[] | undefined>();
  return (rule, state, result) => {
    if (!prepared.has(rule)) prepared.set(rule, prepareConjuncts([rules[rule]!], context));
    const groups = prepared.get(rule);
    if (groups === undefined) return result;
    const results: ConditionValue[] = [];
    return conjunction(
      groups.map(group => {
        evaluateConjuncts(group, state, results);
        return results[0]!;
      }),
    );
  };
}

function ready(conjuncts: RuleConjuncts, context: ConjunctsContext): PreparedConjuncts {
  const expressions = [...conjuncts.values()];
  return {
    rules: [...conjuncts.keys()],
    conditions: compileRules(expressions, context.environment),
    build: activationBuilder(context.profile, context.place, expressions.flat()),
    source: { rules: expressions, environment: context.environment },
  };
}

type RuleConjuncts = ReadonlyMap<number, readonly TypedAst[]>;

function calls({ references }: TypedAst, overloads: ReadonlySet<string>): boolean {
  return references.some(one => one?.kind === 'function' && one.overloads.some(({ id }) => overloads.has(id)));
}

/** The conjuncts of rules that read the same inputs. */
interface InputConjuncts {
  /** By the position of the rule. */
  readonly conjuncts: ReadonlyMap<number, readonly TypedAst[]>;
}

/**
 * Groups the conjuncts of all conditions by the inputs that they read. A rule matches if its conjuncts in all groups are true, does not match if
 * one of them is false, and is unknown otherwise.
 */
function conjunctsByInput(rules: readonly (readonly TypedAst[])[]): readonly InputConjuncts[] {
  const found = new Map<string, Map<number, TypedAst[]>>();
  for (const [rule, expressions] of rules.entries()) {
    for (const { reads, typed } of partsOf(expressions)) {
      const ofRules = found.get(reads) ?? new Map<number, TypedAst[]>();
      found.set(reads, ofRules);
      const ofRule = ofRules.get(rule);
      if (ofRule === undefined) ofRules.set(rule, [...typed]);
      else ofRule.push(...typed);
    }
  }
  return [...found.values()].map(conjuncts => ({ conjuncts }));
}

interface Part {
  readonly reads: string;
  readonly typed: readonly TypedAst[];
}

function partsOf(expressions: readonly TypedAst[]): readonly Part[] {
  const conjuncts = expressions.flatMap(conjunctsOf);
  // The steps of a rule are counted together.
  if (conjuncts.filter(hasLoop).length > 1) return [{ reads: readsKey(conjuncts), typed: conjuncts }];
  return conjuncts.map(typed => ({ reads: readsKey([typed]), typed: [typed] }));
}

function readsKey(all: readonly TypedAst[]): string {
  return [...new Set(all.flatMap(typed => readsOf(typed).map(({ text }) => text)))].sort().join('\n');
}
