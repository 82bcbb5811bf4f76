import type { Profile } from '@tollgate/catalog';
import { type Diagnostic, type Range, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { offsetBefore } from '../edits/apply-edits.ts';
import type { Loss } from './expression/expression-rewriter.ts';

/** A migrated file and its edits. */
interface MigratedSource {
  readonly uri: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** Returns the errors of the migrated file that no reported loss explains, with ranges of the original file. */
export function checkMigrated(
  migrated: MigratedSource,
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
    message: `error in \`${name}\` after migration: ${message}`,
    range,
    args: { code },
  };
}
