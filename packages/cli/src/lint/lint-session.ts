// What a run of the linter has found so far.

import { lintDocument } from '@tollgate/core/linting';
import type { Diagnostic, SourceText, SuppressedDiagnostic } from '@tollgate/diagnostics';
import {
  type Linter,
  type LintTestsOptions,
  type LintTextOptions,
  lintTests,
  type RuleFailure,
  type Summaries,
} from '@tollgate/lint';
import { createRepeatCache, type ExpressionCache } from '@tollgate/policy';
import type { PolicySource } from '../input/policy-sources.ts';
import type { Failure } from '../process/exit-code.ts';

/** The results so far. */
export interface LintedFiles {
  readonly sources: SourceText[];
  readonly diagnostics: Diagnostic[];
  readonly suppressed: SuppressedDiagnostic[];
  readonly failures: Failure[];
  /** Errors thrown by built-in lint rules. */
  readonly defects: unknown[];
}

/** The results for one document. */
export interface LintedSource {
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly summaries: Summaries;
  readonly defects: readonly unknown[];
  /** True if all lint rules finished; otherwise another run may find more. */
  readonly isComplete: boolean;
}

/** Returns the errors that built-in lint rules threw. */
export function defectsIn(failures: readonly RuleFailure[]): readonly unknown[] {
  return failures.flatMap(({ isOwn, error }) => (isOwn ? [error] : []));
}

/** A document to lint. */
export interface SourceToLint extends Pick<PolicySource, 'source' | 'part' | 'target'> {
  readonly edge?: PolicySource['edge'] | undefined;
  /** Returns what the tests show about its rules. */
  readonly coverageOf?: LintTextOptions['coverageOf'];
}

/** Lints documents one after the other and shares what they have in common. */
export class LintSession {
  readonly #expressions: ExpressionCache = createRepeatCache();
  readonly #today: string;
  readonly #ignoresSuppressions: boolean;

  constructor({ today, ignoresSuppressions }: { readonly today: string; readonly ignoresSuppressions: boolean }) {
    this.#today = today;
    this.#ignoresSuppressions = ignoresSuppressions;
  }

  lint({ source, part, target, edge, coverageOf }: SourceToLint, linter: Linter): LintedSource {
    const options = {
      expressions: this.#expressions,
      ...this.#suppressions(),
      ...(edge && { edge }),
      ...(coverageOf && { coverageOf }),
    };
    const { diagnostics, suppressed, summaries, failures } = lintDocument({ source, target, part }, linter, options);
    return { diagnostics, suppressed, summaries, ...endOf(failures) };
  }

  lintTests(
    source: SourceText,
    { target, rules }: Pick<PolicySource, 'target'> & Pick<LintTestsOptions, 'rules'>,
    linter: Linter,
  ): LintedSource {
    const { failures, ...found } = lintTests(source, { ...target, ...this.#suppressions(), rules }, linter);
    return { ...found, summaries: {}, ...endOf(failures) };
  }

  #suppressions() {
    return { today: this.#today, ignoresSuppressions: this.#ignoresSuppressions };
  }
}

function endOf(failures: readonly RuleFailure[]): Pick<LintedSource, 'defects' | 'isComplete'> {
  return { defects: defectsIn(failures), isComplete: failures.length === 0 };
}
