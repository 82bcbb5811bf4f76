import type { Diagnostic, SourceText, SuppressedDiagnostic } from '@tollgate/diagnostics';
import {
  type Linter,
  type LintTestsOptions,
  type LintTextOptions,
  lintTests,
  lintText,
  type Summaries,
} from '@tollgate/lint';
import { createRepeatCache, type ExpressionCache } from '@tollgate/policy';
import type { Failure } from '../exit-code.ts';
import type { PolicyText } from '../input/policy-texts.ts';

/** What was found in files so far. */
export interface LintedFiles {
  readonly sources: SourceText[];
  readonly diagnostics: Diagnostic[];
  readonly suppressed: SuppressedDiagnostic[];
  readonly failures: Failure[];
}

/** What is found in one text. */
export interface LintedText {
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly summaries: Summaries;
}

/** A text with policies to be linted. */
export interface TextToLint extends Pick<PolicyText, 'source' | 'part' | 'target'> {
  readonly edge?: PolicyText['edge'] | undefined;
  /** What tests show of its rules. */
  readonly coverageOf?: LintTextOptions['coverageOf'];
}

/** Lints texts one after the other, with what they can share. */
export class LintSession {
  readonly #expressions: ExpressionCache = createRepeatCache();
  readonly #today: string;
  readonly #ignoresSuppressions: boolean;

  constructor({ today, ignoresSuppressions }: { readonly today: string; readonly ignoresSuppressions: boolean }) {
    this.#today = today;
    this.#ignoresSuppressions = ignoresSuppressions;
  }

  lint({ source, part, target, edge, coverageOf }: TextToLint, linter: Linter): LintedText {
    const options = {
      ...target,
      expressions: this.#expressions,
      ...this.#suppressions(),
      ...(part && { part }),
      ...(edge && { edge }),
      ...(coverageOf && { coverageOf }),
    };
    const { diagnostics, suppressed, summaries } = lintText(source, options, linter);
    return { diagnostics, suppressed, summaries };
  }

  lintTests(
    source: SourceText,
    { target, rules }: Pick<PolicyText, 'target'> & Pick<LintTestsOptions, 'rules'>,
    linter: Linter,
  ): LintedText {
    const found = lintTests(source, { ...target, ...this.#suppressions(), rules }, linter);
    return { ...found, summaries: {} };
  }

  #suppressions() {
    return { today: this.#today, ignoresSuppressions: this.#ignoresSuppressions };
  }
}
