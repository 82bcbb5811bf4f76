import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';

/** A diagnostic with the one-based position at which it starts. */
export interface Finding extends Omit<Diagnostic, 'uri'> {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** One-based, in UTF-16 code units. */
  readonly column: number;
  /** Half-open, in UTF-16 code units. */
  readonly range: Range;
}

/** Returns the diagnostics of a source with their positions. */
export function findingsIn(source: SourceText, diagnostics: readonly Diagnostic[]): readonly Finding[] {
  return diagnostics.map(({ uri, ...diagnostic }) => {
    const { line, character } = source.positionAt(diagnostic.range.start);
    return { ...diagnostic, file: uri, line: line + 1, column: character + 1 };
  });
}
