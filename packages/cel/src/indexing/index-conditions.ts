import type { CallExpr, TypedAst } from '../ast/ast.ts';
import type { Activation, Environment, Program } from '../checker/environment.ts';
import { type Conditions, compileConditions, compileToJavaScript } from '../codegen/compile.ts';
import type { FoldedAst } from '../lowering/fold-constants.ts';
import { lower } from '../lowering/lower.ts';
import { compileMatcher, requiredText } from '../regex/compile-matcher.ts';
import { EvaluationError, type NonValue, type Value } from '../values/value.ts';
import { indexablePredicatesOf, type Term } from './index-predicates.ts';
import { type Candidates, indexRules, type LookupContext, Merge, type PredicateRule } from './index-tree.ts';

/** The conditions of many rules; an evaluation visits only those that may hold. */
export interface IndexedConditions {
  /**
   * Calls `visit`, in rule order and until it returns false, for each rule that matches or that an error or unknown leaves undecided. Other
   * rules do not match. Never throws.
   */
  readonly evaluate: (activation: Activation, visit: (rule: number, result: true | NonValue) => boolean) => void;
}

/**
 * Compiles the conditions of rules, each the conjunction of its expressions (true if there are none), for large policies: tests for
 * equality, membership, prefixes, suffixes, substrings, patterns, address ranges and thresholds are looked up for all rules at once. The
 * results are those of `compileConditions`. The code of a rule is generated on first use.
 */
export function indexConditions(rules: readonly (readonly TypedAst[])[], env: Environment): IndexedConditions {
  const terms = new Terms(env);
  const textIn = (pattern: string) => textInMatches(pattern, env);
  const tested = rules.map((rule, position): PredicateRule => {
    const prepared = rule.map(typed => lower(typed, env));
    const testsOf = (typed: FoldedAst) =>
      indexablePredicatesOf(typed, { isPure: call => isPureCall(call, typed, env), textIn });
    return { position, tests: prepared.flatMap(testsOf) };
  });
  const index = indexRules(tested, term => terms.numberOf(term));
  const compiled: (Conditions | undefined)[] = [];
  const decide = (position: number, activation: Activation): boolean | NonValue => {
    compiled[position] ??= compileConditions([rules[position]!], env);
    const results: (boolean | NonValue)[] = [];
    compiled[position].evaluateAll(activation, results);
    return results[0]!;
  };
  const idle: Lookup[] = [];
  return {
    evaluate: (activation, visit) => {
      const lookup = idle.pop() ?? new Lookup(terms);
      lookup.begin(activation);
      index.gather(lookup);
      for (let rule = lookup.next(); rule !== undefined; rule = lookup.next()) {
        const result = decide(rule, activation);
        if (result !== false && !visit(rule, result)) break;
      }
      lookup.end();
      idle.push(lookup);
    },
  };
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

  constructor(terms: Terms) {
    this.#terms = terms;
    this.#values = new Array(terms.count).fill(undefined);
  }

  begin(activation: Activation): void {
    this.#activation = activation;
    this.#merge.clear();
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
    this.#merge.add(candidates, number);
  }
}
