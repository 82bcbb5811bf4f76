import { hash } from 'node:crypto';
import type { Diagnostic } from '../../diagnostic.ts';
import type { SourceText } from '../../source-text.ts';

/** In a minified document, only the context close to the range counts. */
const MAX_CONTEXT = 200;

/**
 * Returns a fingerprint for each diagnostic, in order. It depends on the code and the source around the range, so it stays the same if lines
 * are added above, messages are reworded, or files are moved and renamed. Equal fingerprints are numbered to make them unique.
 */
export function fingerprints(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceText>,
): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(diagnostic => {
    const key = JSON.stringify([diagnostic.code, ...contextOf(diagnostic, sources)]);
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash('sha256', `${key}${earlier}`).slice(0, 32);
  });
}

/** Returns the marked source, and its line without indentation. */
function contextOf({ uri, range }: Diagnostic, sources: ReadonlyMap<string, SourceText>): readonly string[] {
  const source = sources.get(uri);
  if (!source) return [];
  const line = source.lineRange(source.positionAt(range.start).line);
  const from = Math.max(line.start, range.start - MAX_CONTEXT);
  const to = Math.min(line.end, range.start + MAX_CONTEXT);
  const marked = source.text.slice(range.start, Math.min(range.end, range.start + MAX_CONTEXT));
  return [marked, source.text.slice(from, Math.max(from, to)).trim()];
}
