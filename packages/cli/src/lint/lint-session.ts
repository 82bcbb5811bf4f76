import type { Diagnostic, SourceText, SuppressedDiagnostic, WorldError } from '@tollgate/diagnostics';
import { type Linter, lintText, type Summaries } from '@tollgate/lint';
import { createExpressionCache, type ExpressionCache } from '@tollgate/policy';
import type { PolicyText } from '../input/policy-texts.ts';
import { explainDetection } from '../settings/targeting.ts';

/** What was found in files so far. */
export interface LintedFiles {
  readonly sources: SourceText[];
  readonly diagnostics: Diagnostic[];
  readonly suppressed: SuppressedDiagnostic[];
  readonly failures: WorldError[];
}

/** What is found in one text. */
export interface LintedText {
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly summaries: Summaries;
}

/** Lints texts one after the other, with what they can share. */
export class LintSession {
  readonly #expressions: ExpressionCache = createExpressionCache();
  readonly #today: string;
  readonly #ignoresSuppressions: boolean;

  constructor({ today, ignoresSuppressions }: { readonly today: string; readonly ignoresSuppressions: boolean }) {
    this.#today = today;
    this.#ignoresSuppressions = ignoresSuppressions;
  }

  lint({ source, part, target }: Omit<PolicyText, 'path'>, linter: Linter): LintedText {
    const options = {
      ...target,
      expressions: this.#expressions,
      today: this.#today,
      ignoresSuppressions: this.#ignoresSuppressions,
      ...(part && { part }),
    };
    const { diagnostics, suppressed, summaries } = lintText(source, options, linter);
    return {
      diagnostics: [...diagnostics, ...explainDetection(target, source.uri, diagnostics)],
      suppressed,
      summaries,
    };
  }
}
