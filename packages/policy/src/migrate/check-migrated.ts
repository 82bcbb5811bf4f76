import type { Profile } from '@tollgate/catalog';
import { type Diagnostic, type Range, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { offsetBefore } from '../edits/apply-edits.ts';
import type { Loss } from './expression/expression-rewriter.ts';

/** A text that edits made. */
export interface MigratedText {
  readonly uri: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** The errors that the new profile finds in the new text and that no loss has announced, at their places in the old one. */
export function checkMigrated(
  migrated: MigratedText,
  losses: readonly Loss[],
  options: AnalysisOptions,
): readonly Loss[] {
  const { diagnostics } = analyzePolicies(new SourceText(migrated.uri, migrated.text), options);
  return diagnostics
    .filter(one => one.severity === 'error')
    .flatMap(one => {
      const range = rangeBefore(migrated.edits, one);
      return losses.some(loss => loss.severity === 'error' && overlap(loss.range, range))
        ? []
        : [lossOf(one, range, options.profile)];
    });
}

function rangeBefore(edits: readonly TextEdit[], { range }: Diagnostic): Range {
  const start = offsetBefore(edits, range.start);
  return { start, end: Math.max(start, offsetBefore(edits, range.end)) };
}

function overlap(a: Range, b: Range): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function lossOf({ code, message }: Diagnostic, range: Range, { name }: Profile): Loss {
  return {
    code: 'migrate/does-not-check',
    severity: 'error',
    message: `what becomes of this is an error in \`${name}\`: ${message}`,
    range,
    args: { code },
  };
}
