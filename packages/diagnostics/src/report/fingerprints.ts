import { hash } from 'node:crypto';
import type { Diagnostic } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';

/** Of a line of a minified document, what is close to the range must do. */
const MOST_CONTEXT = 200;

/**
 * A fingerprint for each diagnostic, in their order: by code, path and the text around the range, so that it stays when lines
 * are added above or messages are worded anew. Equal ones are numbered, so that each is unique.
 */
export function fingerprints(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceText>,
  pathOf: (uri: string) => string = uri => uri,
): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(diagnostic => {
    const key = JSON.stringify([diagnostic.code, pathOf(diagnostic.uri), ...contextOf(diagnostic, sources)]);
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash('sha256', `${key}${earlier}`).slice(0, 32);
  });
}

/** What is marked, and its line without indentation. */
function contextOf({ uri, range }: Diagnostic, sources: ReadonlyMap<string, SourceText>): readonly string[] {
  const source = sources.get(uri);
  if (!source) return [];
  const line = source.lineRange(source.positionAt(range.start).line);
  const from = Math.max(line.start, range.start - MOST_CONTEXT);
  const to = Math.min(line.end, range.start + MOST_CONTEXT);
  const marked = source.text.slice(range.start, Math.min(range.end, range.start + MOST_CONTEXT));
  return [marked, source.text.slice(from, Math.max(from, to)).trim()];
}
