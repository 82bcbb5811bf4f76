import type { Policy } from '@tollgate/policy';
import { memoizeByKey } from '../primitives/memoize.ts';
import type { FileAnalysis, LintedFile } from '../rule-api/lint-context.ts';
import { expressionsOf } from './conditions/analyzed-expression.ts';
import { type Verdict, verdictsOf } from './conditions/verdicts.ts';
import { incompleteRules } from './effects/incomplete-rules.ts';
import { type CoveredRule, coveredRules } from './phases/covered-rules.ts';
import { PhaseIndex } from './phases/phase-index.ts';
import { type LogicContext, type PhaseLogic, phaseLogic, type RuleLogic } from './phases/rule-logic.ts';

/** What can be proved about the rules of a policy. Each part is computed on first use. */
interface PolicyLogic {
  /** Phases that have rules. */
  readonly phases: readonly PhaseLogic[];
  /** Findings about single conditions and their operands. */
  readonly verdicts: readonly Verdict[];
  /** Returns an index of the rules of a phase by what they need. */
  readonly indexOf: (phase: PhaseLogic) => PhaseIndex;
  /** Rules that never run although their conditions can hold. */
  readonly covered: readonly CoveredRule[];
}

const POLICY_LOGIC: FileAnalysis<(policy: Policy) => PolicyLogic> = {
  compute: ({ profile, environments, diagnostics, work }) => {
    const context: LogicContext = { profile, environments, isIncomplete: incompleteRules(diagnostics), work };
    return memoizeByKey(policy => new LazyLogic(policy, context));
  },
};

/** Returns what can be proved about the rules of a policy of the file. */
export function policyLogic(policy: Policy, file: LintedFile): PolicyLogic {
  return file.resultOf(POLICY_LOGIC)(policy);
}

/** Returns true if nothing is certain about any of its conditions. */
function isFree({ approximation }: RuleLogic): boolean {
  return approximation === undefined || approximation.isContingent();
}

/** A result, and whether it is incomplete because the work limit was reached. */
interface Result<T> {
  readonly all: readonly T[];
  readonly isOpen: boolean;
}

class LazyLogic implements PolicyLogic {
  readonly indexOf = memoizeByKey((phase: PhaseLogic) => new PhaseIndex(phase));
  readonly #policy: Policy;
  readonly #context: LogicContext;
  #phases: PolicyLogic['phases'] | undefined;
  #verdicts: Result<Verdict> | undefined;
  #covered: Result<CoveredRule> | undefined;

  constructor(policy: Policy, context: LogicContext) {
    this.#policy = policy;
    this.#context = context;
  }

  get phases(): PolicyLogic['phases'] {
    this.#phases ??= this.#context.profile.phases.flatMap(phase => {
      const rules = phaseLogic(this.#policy, phase, this.#context);
      return rules.length === 0 ? [] : [rules];
    });
    return this.#phases;
  }

  get verdicts(): PolicyLogic['verdicts'] {
    this.#verdicts ??= this.#collect(() =>
      this.phases.flat().flatMap(rule => (isFree(rule) ? [] : expressionsOf(rule).flatMap(verdictsOf))),
    );
    return this.#markCaller(this.#verdicts);
  }

  get covered(): PolicyLogic['covered'] {
    this.#covered ??= this.#collect(() => this.phases.flatMap(phase => coveredRules(this.indexOf(phase))));
    return this.#markCaller(this.#covered);
  }

  #collect<T>(find: () => readonly T[]): Result<T> {
    const all = find();
    return { all, isOpen: this.#context.work.account.isOpen };
  }

  /** Marks every caller as undecided if the result is incomplete. */
  #markCaller<T>({ all, isOpen }: Result<T>): readonly T[] {
    if (isOpen) this.#context.work.leaveOpen();
    return all;
  }
}
