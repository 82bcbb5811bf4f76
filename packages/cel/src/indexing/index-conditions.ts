import type { CallExpr, TypedAst } from '../ast/ast.ts';
import type { Activation, Environment, Program } from '../checker/environment.ts';
import { type Conditions, compileConditions, compileToJavaScript } from '../codegen/compile.ts';
import { unrollLists } from '../codegen/unroll-lists.ts';
import type { FoldedAst } from '../lowering/fold-constants.ts';
import { lower } from '../lowering/lower.ts';
import { compileMatcher, requiredText } from '../regex/compile-matcher.ts';
import { EvaluationError, type NonValue, type Value } from '../values/value.ts';
import { indexablePartsOf, type Term } from './index-predicates.ts';
import { type Candidates, indexRules, type LookupContext, Merge, type PredicateRule } from './index-tree.ts';

/** The conditions of many rules; an evaluation visits only those that may hold. */
export interface IndexedConditions {
  /**
   * Calls `visit`, in rule order and until it returns false, for each rule that matches or that an error or unknown leaves undecided. Other
   * rules do not match. Never throws.
   */
  readonly evaluate: (activation: Activation, visit: Visit) => void;
}

/**
 * Compiles the conditions of rules, each the conjunction of its expressions (true if there are none), for large policies: tests for
 * equality, membership, prefixes, suffixes, substrings, patterns, address ranges and thresholds are looked up for all rules at once. Rules
 * that have none are evaluated together, and so are all rules where looking them up excludes too few. The results are those of
 * `compileConditions`. Code is generated on first use.
 */
export function indexConditions(rules: readonly (readonly TypedAst[])[], env: Environment): IndexedConditions {
  const terms = new Terms(env);
  const textIn = (pattern: string) => textInMatches(pattern, env);
  const tested = rules.map((rule, position): PredicateRule => {
    const prepared = rule.map(typed => lower(unrollLists(typed), env));
    const partsIn = (typed: FoldedAst) =>
      indexablePartsOf(typed, { isPure: call => isPureCall(call, typed, env), textIn });
    return { position, tests: prepared.flatMap(partsIn) };
  });
  const { rest, gather } = indexRules(tested, term => terms.numberOf(term));
  const all = new Together([...rules.keys()], rules, env);
  if (rest.length > rules.length / 2) return { evaluate: (activation, visit) => all.evaluate(activation, visit) };
  const unindexed = rest.length === 0 ? undefined : new Together(rest, rules, env);
  const compiled: (Conditions | undefined)[] = [];
  const results: (boolean | NonValue)[] = [];
  const decide = (position: number, activation: Activation, visit: Visit): boolean => {
    compiled[position] ??= compileConditions([rules[position]!], env);
    compiled[position].evaluateAll(activation, results);
    const [result] = results;
    return result === false || visit(position, result!);
  };
  const idle: Lookup[] = [];
  return {
    evaluate: (activation, visit) => {
      const lookup = idle.pop() ?? new Lookup(terms);
      lookup.begin(activation);
      gather(lookup);
      if (lookup.count * TOGETHER > rules.length) all.evaluate(activation, visit);
      else {
        let rule = lookup.next();
        const visitOther: Visit = (other, result) => {
          for (; rule !== undefined && rule < other; rule = lookup.next())
            if (!decide(rule, activation, visit)) return false;
          return visit(other, result);
        };
        const goesOn = unindexed?.evaluate(activation, visitOther) ?? true;
        for (; goesOn && rule !== undefined; rule = lookup.next()) if (!decide(rule, activation, visit)) break;
      }
      lookup.end();
      idle.push(lookup);
    },
  };
}

/** Evaluating one rule on its own takes as long as evaluating so many together. */
const TOGETHER = 12;

/** Receives the result of a rule; returns whether to continue. */
type Visit = (rule: number, result: true | NonValue) => boolean;

/** Rules that are evaluated in one call. */
class Together {
  readonly #positions: readonly number[];
  readonly #compile: () => Conditions;
  readonly #idle: (boolean | NonValue)[][] = [];
  #compiled: Conditions | undefined;

  constructor(positions: readonly number[], rules: readonly (readonly TypedAst[])[], env: Environment) {
    this.#positions = positions;
    this.#compile = () =>
      compileConditions(
        positions.map(position => rules[position]!),
        env,
      );
  }

  /** Returns false if a visit ended it. */
  evaluate(activation: Activation, visit: Visit): boolean {
    this.#compiled ??= this.#compile();
    const results = this.#idle.pop() ?? [];
    this.#compiled.evaluateAll(activation, results);
    let goesOn = true;
    for (let at = 0; goesOn && at < results.length; at++) {
      const result = results[at]!;
      if (result !== false) goesOn = visit(this.#positions[at]!, result);
    }
    this.#idle.push(results);
    return goesOn;
  }
}

/** User functions may return a different result each time. */
function isPureCall(call: CallExpr, typed: TypedAst, env: Environment): boolean {
  const reference = typed.references[call.id];
  return reference?.kind === 'function' && reference.overloads.every(({ id }) => !env.implementations.has(id));
}

function textInMatches(pattern: string, { limits, patternEngine }: Environment): string | undefined {
  const text = requiredText(pattern);
  const fails = () => compileMatcher(pattern, limits, patternEngine) instanceof EvaluationError;
  return text === undefined || fails() ? undefined : text;
}

/** The terms that rules test, each compiled once and evaluated at most once per activation. */
class Terms {
  readonly #numbers = new Map<string, number>();
  readonly #programs: Program[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  numberOf({ key, typed }: Term): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#programs.push(compileToJavaScript(typed, this.#env)) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  evaluate(number: number, activation: Activation): Value | NonValue {
    return this.#programs[number]!.evaluate(activation);
  }

  get count(): number {
    return this.#programs.length;
  }
}

/** The state of one evaluation, reused for the next because creating it takes longer than using it. */
class Lookup implements LookupContext {
  readonly #terms: Terms;
  readonly #merge = new Merge();
  readonly #values: (Value | NonValue | undefined)[];
  #activation: Activation = {};
  /** Of candidates, not counting those with thresholds, of which usually few pass. */
  count = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
    this.#values = new Array(terms.count).fill(undefined);
  }

  begin(activation: Activation): void {
    this.#activation = activation;
    this.#merge.clear();
    this.count = 0;
  }

  /** Releases all references to the activation. */
  end(): void {
    this.#activation = {};
    this.#values.fill(undefined);
  }

  next(): number | undefined {
    return this.#merge.next();
  }

  valueOf(term: number): Value | NonValue {
    this.#values[term] ??= this.#terms.evaluate(term, this.#activation);
    return this.#values[term];
  }

  add(candidates: Candidates, number?: number): void {
    if (candidates.thresholds === undefined) this.count += candidates.positions.length;
    this.#merge.add(candidates, number);
  }
}
