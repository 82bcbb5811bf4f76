// The rules of a phase as the solver needs them: conditions, effects, what they read, and how long both stay valid.

import { type Phase, type Profile, terminationOf, type VariableFact, variablesAt } from '@tollgate/catalog';
import { type CallExpr, type Environment, type Expr, type TypedAst, unparse } from '@tollgate/cel';
import { childrenOf, fieldPathsOf, inlineBodies, inputPathOf } from '@tollgate/cel/tooling';
import { once } from '@tollgate/diagnostics';
import type { Action, PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { type Condition, ConditionQuestions, type SolverSession } from '@tollgate/solver/conditions';
import { asWritten } from '../readers/source-nodes.ts';

/** The conditions of a rule and its effect on others. Conditions are read on first use. */
export interface RuleLogic {
  readonly rule: Rule;
  /** False if an expression has an error, or if parts of the rule may be missing. */
  readonly isComplete: boolean;
  /** All conditions together; undefined if the rule is not complete. */
  readonly condition: Condition | undefined;
  /** Returns true if it is proved that its conditions never hold. */
  readonly isImpossible: () => boolean;
  readonly effect: RuleEffect;
  /** Its conditions have the same result at all positions up to this one: nothing before changes what they read. */
  readonly validUntil: number;
  /** Equal for rules with the same conditions, in any order; undefined if they are volatile. */
  readonly text: () => string | undefined;
  /** Returns the condition that an expression of the rule is, or a part of it that is outside of its loops. */
  readonly read: (typed: TypedAst, root?: Expr) => Condition;
  readonly questions: ConditionQuestions;
}

/** The rules of one phase; their conditions can be compared. */
export type PhaseLogic = readonly RuleLogic[];

/** The context of a policy. */
export interface LogicContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  /** Returns true if the analysis may have dropped parts of the rule. */
  readonly isIncomplete: (rule: Rule) => boolean;
  /** What the questions about the policy share. */
  readonly session: SolverSession;
  /** Returns what reads the conditions of a phase. */
  readonly readerOf: (questions: ConditionQuestions) => RuleLogic['read'];
}

/** Reads the conditions of all rules of a phase. */
export function phaseLogic(policy: Policy, phase: Phase, logic: LogicContext): PhaseLogic {
  const { profile, environments, session } = logic;
  const rules = policy.rules[phase];
  if (rules.length === 0) return [];
  const variables = variablesAt(profile, { endpoint: policy.endpoint, phase });
  const volatile = volatileOverloads(profile);
  const questions = new ConditionQuestions(session, phase);
  const read = logic.readerOf(questions);
  const paths = new PathReader(environments[phase]);
  const found = rules.map(rule => {
    const typed = logic.isIncomplete(rule) ? undefined : typedOf(rule);
    return {
      rule,
      typed,
      effect: effectOf(rule, variables),
      reads: () => typed?.flatMap(one => paths.read(one)) ?? [],
    };
  });
  const ends = validUntil(found);
  return found.map(({ rule, typed, effect }, index) => {
    const condition = once(() => typed && questions.allOf(typed.map(one => read(one))));
    return {
      rule,
      effect,
      read,
      questions,
      validUntil: ends[index]!,
      isComplete: typed !== undefined,
      text: once(() => textOf(rule, volatile)),
      isImpossible: once(() => condition() !== undefined && questions.isUnsatisfiable(condition()!)),
      get condition() {
        return condition();
      },
    };
  });
}

function textOf({ expressions }: Rule, volatile: readonly string[]): string | undefined {
  const typed = expressions.flatMap(expression => expression.typed ?? []);
  if (typed.length < expressions.length || typed.some(one => isVolatile(one, one.ast.root, volatile))) return undefined;
  return typed
    .map(one => unparse(one.ast))
    .toSorted()
    .join('\n');
}

/** Returns undefined if one of the expressions has an error. */
export function typedOf(rule: Rule): readonly TypedAst[] | undefined {
  const found: TypedAst[] = [];
  for (const { typed } of rule.expressions) {
    if (!typed) return undefined;
    found.push(typed);
  }
  return found;
}

/** What a matching rule does to the evaluation. */
interface RuleEffect {
  /** True if it certainly ends the evaluation. */
  readonly ends: boolean;
  /** The action that certainly ends it. */
  readonly end: Action | undefined;
  /** Equal for rules that end it with the same action; undefined if they do not end it. */
  readonly endText: () => string | undefined;
  /** Paths that later expressions may find changed; undefined if any may be. Empty if the rule ends the evaluation. */
  readonly changes: readonly string[] | undefined;
  /** Equal for rules with the same actions. */
  readonly text: () => string;
}

function effectOf({ actions }: Rule, variables: readonly VariableFact[]): RuleEffect {
  const at = actions.findIndex(action => terminationOf(action) === 'always');
  return {
    ends: at >= 0,
    end: actions[at],
    endText: once(() => (at < 0 ? undefined : actionText(actions[at]!))),
    changes: at >= 0 ? [] : changesOf(actions, variables),
    text: once(() => actions.map(actionText).join()),
  };
}

function changesOf(actions: readonly Action[], variables: readonly VariableFact[]): readonly string[] | undefined {
  const changes = actions.map(({ fact, type }) => {
    const set = variables.filter(variable => variable.setBy === type.value).map(variable => variable.path);
    return fact?.changes && (set.length === 0 ? fact.changes : [...fact.changes, ...set]);
  });
  if (changes.length === 1) return changes[0];
  return changes.includes(undefined) ? undefined : changes.flatMap(paths => paths ?? []);
}

/** Returns a string that is equal for actions with the same type and configuration, whatever the order of keys. */
function actionText({ type, config }: Action): string {
  return `${type.value}${JSON.stringify(config, sortKeys)}`;
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A rule with what it reads and changes. */
interface ReadingRule {
  readonly effect: Pick<RuleEffect, 'changes'>;
  /** Paths of the inputs that its expressions read. */
  readonly reads: () => readonly string[];
}

/**
 * Returns, for each rule of a phase, the first position from its own on where an action changes what it reads; the length of the phase if
 * there is none.
 */
function validUntil(rules: readonly ReadingRule[]): readonly number[] {
  const overlaps = new Overlaps();
  // The next position for each distinct set of changes; there are few.
  const ahead = new Map<string, NextChange>();
  const found: number[] = [];
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const { effect, reads } = rules[index]!;
    const key = effect.changes === undefined ? '*' : effect.changes.join();
    if (key !== '') ahead.set(key, { changes: ahead.get(key)?.changes ?? effect.changes, at: index });
    // Reading paths is the most expensive step here.
    const read = ahead.size === 0 ? [] : reads();
    const ends = read.length === 0 ? [] : [...ahead.values()].filter(({ changes }) => overlaps.isAny(changes, read));
    found[index] = ends.reduce((first, { at }) => Math.min(first, at), rules.length);
  }
  return found;
}

/** Paths that an action changes, and the next position of such an action. */
interface NextChange {
  readonly changes: readonly string[] | undefined;
  readonly at: number;
}

/** Caches results, because the rules of a phase repeat the same paths. */
class Overlaps {
  readonly #known = new Map<readonly string[], Map<string, boolean>>();

  /** Returns true if changing values at these paths (undefined: at any) changes what is read. */
  isAny(changes: readonly string[] | undefined, reads: readonly string[]): boolean {
    if (changes === undefined) return reads.length > 0;
    let answers = this.#known.get(changes);
    if (answers === undefined) {
      answers = new Map();
      this.#known.set(changes, answers);
    }
    for (const read of reads) {
      let answer = answers.get(read);
      if (answer === undefined) {
        answer = changes.some(path => overlap(read, path));
        answers.set(read, answer);
      }
      if (answer) return true;
    }
    return false;
  }
}

/** Returns true if one path contains the other. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}

/**
 * Returns the paths of the inputs that expressions read, in function bodies too; possibly with duplicates and with parts of other paths.
 * The same paths as `fieldPathsOf` after inlining, which is avoided if it cannot add any.
 */
export class PathReader {
  readonly #environment: Environment;
  /** By overload; undefined if the paths depend on the arguments. */
  readonly #bodies = new Map<string, readonly string[] | undefined>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  read(typed: TypedAst): readonly string[] {
    const found: string[] = [];
    if (this.#collect(typed, typed.ast.root, found)) return found;
    return [...fieldPathsOf(inlineBodies(typed, this.#environment))];
  }

  /** Returns false if local names or optional fields require inlining. */
  #collect(typed: TypedAst, expr: Expr, found: string[]): boolean {
    if (expr.kind === 'literal') return true;
    const path = inputPathOf(typed, expr);
    if (path !== undefined) {
      found.push(path);
      return true;
    }
    if (expr.kind === 'comprehension' && expr.iterRange.kind === 'list' && expr.iterRange.elements.length === 0)
      return false;
    if (expr.kind === 'call') return this.#collectCall(typed, expr, found);
    return childrenOf(expr).every(child => this.#collect(typed, child, found));
  }

  #collectCall(typed: TypedAst, call: CallExpr, found: string[]): boolean {
    if (call.function === '_?._') return false;
    const reference = typed.references[call.id];
    const [overload, ...others] = reference?.kind === 'function' ? reference.overloads : [];
    if (overload?.body !== undefined && others.length === 0) {
      const paths = this.#pathsOfBody(overload.id);
      if (paths === undefined) return false;
      found.push(...paths);
    }
    // The target of `math.least(…)` is a namespace.
    const { target, args } = call;
    const isOperand = target !== undefined && typed.types[target.id] !== undefined;
    return (!isOperand || this.#collect(typed, target, found)) && args.every(arg => this.#collect(typed, arg, found));
  }

  /** Returns the paths of a body that reads each parameter as a whole. */
  #pathsOfBody(overload: string): readonly string[] | undefined {
    if (this.#bodies.has(overload)) return this.#bodies.get(overload);
    const body = this.#environment.bodyOf(overload);
    const names = new Set(
      body?.typed.references.map(one => (one?.kind === 'local' && one.scope === 0 ? one.name : '')),
    );
    const isReadWhole =
      body?.overload.params.every(type => WITHOUT_PARTS.has(type.kind)) &&
      body.paramNames.every(name => names.has(name));
    const paths = body && isReadWhole ? [...fieldPathsOf(inlineBodies(body.typed, this.#environment))] : undefined;
    this.#bodies.set(overload, paths);
    return paths;
  }
}

const WITHOUT_PARTS: ReadonlySet<string> = new Set(['string', 'int', 'uint', 'double', 'bool', 'bytes']);

/** Returns true if a part of an expression calls one of the volatile overloads. */
export function isVolatile(typed: TypedAst, node: Expr, volatile: readonly string[]): boolean {
  if (volatile.length === 0) return false;
  const own = asWritten(typed.ast, node);
  const reference = typed.references[own.id];
  const isOwn = reference?.kind === 'function' && reference.overloads.some(({ id }) => volatile.includes(id));
  return isOwn || childrenOf(own).some(child => isVolatile(typed, child, volatile));
}

/** Returns the overloads whose results may differ between two calls: random ones and those that users implement. */
export function volatileOverloads({ functions }: Profile): readonly string[] {
  return functions.flatMap(fact =>
    fact.opaque !== undefined || fact.implementation !== undefined ? [fact.overloadId] : [],
  );
}
