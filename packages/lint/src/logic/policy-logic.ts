import type { Policy } from '@tollgate/policy';
import { memoizeByKey } from '../primitives/memoize.ts';
import type { FileAnalysis, LintedFile } from '../rule-api/lint-context.ts';
import { expressionsOf } from './conditions/analyzed-expression.ts';
import { type Verdict, verdictsOf } from './conditions/verdicts.ts';
import { incompleteRules } from './effects/incomplete-rules.ts';
import { type Coverage, coveredRules } from './phases/coverage.ts';
import { PhaseIndex } from './phases/phase-index.ts';
import { type LogicContext, type PhaseLogic, phaseLogic, type RuleLogic } from './phases/rule-logic.ts';

/** What is certain of a policy, whatever the traffic. Each part is found out when it is first asked for, and once. */
export interface PolicyLogic {
  /** Those that have rules. */
  readonly phases: readonly PhaseLogic[];
  /** About single conditions and their parts. */
  readonly verdicts: readonly Verdict[];
  /** The rules of one of the phases, by what they need. */
  readonly indexOf: (phase: PhaseLogic) => PhaseIndex;
  /** Rules that are never reached by what they match. */
  readonly covered: readonly Coverage[];
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

/** Nothing is certain of any of its conditions. */
function isFree({ approximation }: RuleLogic): boolean {
  return approximation === undefined || approximation.isContingent();
}

/** What was found, and whether work was left to find all of it. */
interface Found<T> {
  readonly all: readonly T[];
  readonly isOpen: boolean;
}

class LazyLogic implements PolicyLogic {
  readonly indexOf = memoizeByKey((phase: PhaseLogic) => new PhaseIndex(phase));
  readonly #policy: Policy;
  readonly #context: LogicContext;
  #phases: PolicyLogic['phases'] | undefined;
  #verdicts: Found<Verdict> | undefined;
  #covered: Found<Coverage> | undefined;

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
    this.#verdicts ??= this.#found(() =>
      this.phases.flat().flatMap(rule => (isFree(rule) ? [] : expressionsOf(rule).flatMap(verdictsOf))),
    );
    return this.#told(this.#verdicts);
  }

  get covered(): PolicyLogic['covered'] {
    this.#covered ??= this.#found(() => this.phases.flatMap(phase => coveredRules(this.indexOf(phase))));
    return this.#told(this.#covered);
  }

  #found<T>(find: () => readonly T[]): Found<T> {
    const all = find();
    return { all, isOpen: this.#context.work.account.isOpen };
  }

  /** To all who ask. */
  #told<T>({ all, isOpen }: Found<T>): readonly T[] {
    if (isOpen) this.#context.work.leaveOpen();
    return all;
  }
}
