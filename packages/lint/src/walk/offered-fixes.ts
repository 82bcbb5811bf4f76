import type { Fix, Range, TextEdit } from '@tollgate/diagnostics';
import { firstFrom } from '../primitives/sorted-ranges.ts';
import type { LintedFile, LintFinding } from '../rule-api/lint-context.ts';

/**
 * Returns the fixes to offer for a finding. A safe fix that would delete a comment becomes a suggestion, unless the finding is about that
 * comment; a fix that would delete or move an anchor that an alias refers to is not offered.
 */
export function offeredFixes(
  { range, fixes }: Pick<LintFinding, 'range' | 'fixes'>,
  file: Pick<LintedFile, 'source' | 'comments'>,
): readonly Fix[] | undefined {
  const kept = fixes?.filter(fix => !breaksAlias(fix, file.source.text));
  return kept?.map(fix =>
    fix.applicability === 'safe' && losesComment(fix, range, file) ? { ...fix, applicability: 'suggestion' } : fix,
  );
}

/** Names of anchors or aliases, also some that only look like them, such as in a pattern: then a fix is withheld in vain. */
const ANCHORS = /(?<=^|[\s[{,:-])&([^\s,[\]{}]+)/g;
const ALIASES = /(?<=^|[\s[{,:-])\*([^\s,[\]{}]+)/g;

function breaksAlias({ edits }: Fix, text: string): boolean {
  if (!text.includes('*') || !text.includes('&')) return false;
  const removed = edits.map(({ range }) => text.slice(range.start, range.end));
  const anchors = new Set(removed.flatMap(one => Array.from(one.matchAll(ANCHORS), ([, name]) => name)));
  if (anchors.size === 0) return false;
  const aliases = Array.from(text.matchAll(ALIASES));
  return aliases.some(
    ({ index, 1: name }) => anchors.has(name) && !edits.some(({ range }) => range.start <= index && index < range.end),
  );
}

function losesComment(
  { edits }: Fix,
  about: Range,
  { source: { text }, comments }: Pick<LintedFile, 'source' | 'comments'>,
): boolean {
  const written = edits.map(one => one.newText).join('\n');
  return edits.some(({ range }) => {
    const own = commentsTouched(range, comments).filter(one => one.start > about.start || one.end < about.end);
    const lost = own.map(one => text.slice(one.start, one.end).trimEnd());
    return [...lost, ...expressionComments(text, range)].some(one => !written.includes(one));
  });
}

function commentsTouched({ start, end }: TextEdit['range'], comments: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  const before = firstFrom(comments, start) - 1;
  for (let at = Math.max(before, 0); at < comments.length && comments[at]!.start < end; at += 1)
    if (comments[at]!.end > start) found.push(comments[at]!);
  return found;
}

/** Matches CEL comments, also in double-quoted scalars, where a line break is `\n`. URLs do not count. */
function expressionComments(text: string, { start, end }: Range): readonly string[] {
  const removed = text.slice(start, end);
  if (!removed.includes('//')) return [];
  return Array.from(removed.matchAll(/(?<!:)\/\/(?:(?!\\n)[^\r\n])*/g), ([comment]) => comment.trimEnd());
}
