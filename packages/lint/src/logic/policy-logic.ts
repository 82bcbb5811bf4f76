// What can be proved about the rules of a policy, computed when a lint rule first asks.

import type { TypedAst } from '@tollgate/cel';
import { type Diagnostic, once, onceForEach } from '@tollgate/diagnostics';
import type { Policy, Rule } from '@tollgate/policy';
import { type MatchAnswer, PolicyQuestions, SolverSession } from '@tollgate/solver/conditions';
import type { FileAnalysis, LintedFile, Work } from '../rule-api/lint-context.ts';
import { isAnyWithin } from '../sorted-ranges.ts';
import { type CoveredRule, coveredRules, type ReachQuestions } from './covered-rules.ts';
import { ExampleExchanges } from './example-exchanges.ts';
import { expressionsOf, partReader } from './operator-chain.ts';
import { type LogicContext, type PhaseLogic, phaseLogic, typedOf } from './rule-logic.ts';
import { type Verdict, verdictsOf } from './verdicts.ts';

/** What can be proved about the rules of a policy. Each part is computed on first use. */
interface PolicyLogic extends ReachQuestions {
  /** Phases that have rules. */
  readonly phases: readonly PhaseLogic[];
  /** Findings about single conditions and their operands. */
  readonly verdicts: readonly Verdict[];
  /** Rules that never run although their conditions can hold. */
  readonly covered: readonly CoveredRule[];
  /** Exchanges for messages. */
  readonly examples: ExampleExchanges;
  /** Answers whether a part of an expression fails for traffic that then skips the rule; undefined if the policy cannot be simulated. */
  readonly skippedAt: (rule: Rule, typed: TypedAst) => MatchAnswer | undefined;
}

const POLICY_LOGIC: FileAnalysis<(policy: Policy) => PolicyLogic> = {
  compute: file => onceForEach(policy => new LazyLogic(policy, file)),
};

/** Returns what can be proved about the rules of a policy of the file. */
export function policyLogic(policy: Policy, file: LintedFile): PolicyLogic {
  return file.resultOf(POLICY_LOGIC)(policy);
}

/** A result, and whether it is incomplete because the work limit was reached. */
interface Result<T> {
  readonly all: readonly T[];
  readonly isOpen: boolean;
}

class LazyLogic implements PolicyLogic {
  readonly examples: ExampleExchanges;
  readonly #policy: Policy;
  readonly #context: LogicContext;
  readonly #work: Work;
  readonly #hasErrors: boolean;
  readonly #questions: () => PolicyQuestions;
  #phases: PolicyLogic['phases'] | undefined;
  #verdicts: Result<Verdict> | undefined;
  #covered: Result<CoveredRule> | undefined;

  constructor(policy: Policy, { profile, environments, diagnostics, work }: LintedFile) {
    const { endpoint } = policy;
    const session = new SolverSession(
      { profile, endpoint, environments },
      { spending: asSpending(work), onOpen: () => work.leaveOpen(), traffic: 'any' },
    );
    this.#policy = policy;
    this.#work = work;
    this.#context = {
      profile,
      environments,
      isIncomplete: incompleteRules(diagnostics),
      session,
      readerOf: partReader,
    };
    this.examples = new ExampleExchanges({ policy, profile, environments, work });
    const isPartial = (rule: Rule) => this.#context.isIncomplete(rule) || typedOf(rule) === undefined;
    this.#hasErrors = diagnostics.some(({ severity }) => severity === 'error');
    this.#questions = once(() => new PolicyQuestions(session, policy, { isPartial }));
  }

  get questions(): PolicyQuestions {
    return this.#questions();
  }

  readonly takenFrom: PolicyLogic['takenFrom'] = (rule, typed) => {
    if (this.#hasErrors) return new Map();
    const { questions } = this;
    const answer = typed === undefined ? questions.canMatch(rule) : questions.canMatchWhere(rule, typed);
    return answer.kind === 'impossible' ? answer.taken : new Map();
  };

  readonly skippedAt: PolicyLogic['skippedAt'] = (rule, typed) =>
    this.#hasErrors ? undefined : this.questions.canFailAt(rule, typed);

  get phases(): PolicyLogic['phases'] {
    this.#phases ??= this.#context.profile.phases.flatMap(phase => {
      const rules = phaseLogic(this.#policy, phase, this.#context);
      return rules.length === 0 ? [] : [rules];
    });
    return this.#phases;
  }

  get verdicts(): PolicyLogic['verdicts'] {
    this.#verdicts ??= this.#collect(() => this.phases.flat().flatMap(rule => expressionsOf(rule).flatMap(verdictsOf)));
    return this.#markCaller(this.#verdicts);
  }

  get covered(): PolicyLogic['covered'] {
    this.#covered ??= this.#collect(() => this.phases.flatMap(phase => coveredRules(phase, this.phases, this)));
    return this.#markCaller(this.#covered);
  }

  #collect<T>(find: () => readonly T[]): Result<T> {
    const all = find();
    return { all, isOpen: this.#work.account.isOpen };
  }

  /** Marks every caller as undecided if the result is incomplete. */
  #markCaller<T>({ all, isOpen }: Result<T>): readonly T[] {
    if (isOpen) this.#work.leaveOpen();
    return all;
  }
}

/** A unit of the solver takes about as long as this many steps. */
const STEPS_PER_UNIT = 5;

function asSpending(work: Work) {
  return {
    spend: (units: number) => work.spend(units * STEPS_PER_UNIT),
    get isSpent() {
      return work.isSpent;
    },
  };
}

/** Errors that make the analysis drop conditions or actions of a rule: `- !(a)`, `expression: a`. */
const LOSES_PARTS =
  /^(?:(?:yaml|json)\/|policy\/(?:wrong-type|unknown-key|missing-key|unquoted-expression|duplicate-key)$)/;

/** Returns a predicate for rules that may have lost parts in the analysis, so that nothing follows from what they lack. */
function incompleteRules(analysis: readonly Diagnostic[]): (rule: Pick<Rule, 'range'>) => boolean {
  const places = analysis
    .filter(({ severity, code }) => severity === 'error' && LOSES_PARTS.test(code))
    .map(one => one.range)
    .toSorted((a, b) => a.start - b.start);
  if (places.length === 0) return () => false;
  return ({ range }) => isAnyWithin(places, range);
}
