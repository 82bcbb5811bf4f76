import type { Diagnostic, Fix, Range, TextEdit } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../../document/model/mapped-text.ts';
import { applyEdits } from '../../edits/apply-edits.ts';
import type { EmbeddedPolicy } from './embedded-policy.ts';
import { replaceInLayer } from './replace-in-layer.ts';

/** Returns the range in the file of a range in the policy's own document. */
export function rangeInFile({ layers }: Pick<EmbeddedPolicy, 'layers'>, range: Range): Range {
  return layers.reduce((inner, { text }) => documentRange(text, inner), range);
}

/** Returns the offset in the policy's own document of an offset in the file; undefined if it is outside of it. */
export function offsetInPolicy({ layers }: Pick<EmbeddedPolicy, 'layers'>, offset: number): number | undefined {
  let at: number | undefined = offset;
  for (const { text } of layers.toReversed()) at = at === undefined ? undefined : innerOffset(text, at);
  return at;
}

/** The pieces are in source order, so the first that ends after the offset contains it, or follows the indentation it is in. */
function innerOffset({ pieces, value, range }: MappedText, offset: number): number | undefined {
  if (offset < range.start || offset > range.end) return undefined;
  let low = 0;
  for (let high = pieces.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (pieces[middle]!.range.end < offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low];
  if (!piece) return value.length;
  const isCopied = piece.to - piece.from === piece.range.end - piece.range.start;
  if (offset <= piece.range.start) return piece.from;
  return isCopied ? piece.from + offset - piece.range.start : offset === piece.range.end ? piece.to : piece.from;
}

/**
 * Returns a finding in the policy's own document as one in the file. Fixes whose result cannot be written in the file's notation, such
 * as a line break in a plain scalar, are left out.
 */
export function diagnosticInFile(policy: EmbeddedPolicy, diagnostic: Diagnostic): Diagnostic {
  if (policy.layers.length === 0) return diagnostic;
  const { related, fixes, ...rest } = diagnostic;
  const { uri } = policy.file;
  const places = related?.map(one => ({ ...one, uri, range: rangeInFile(policy, one.range) }));
  const writable = fixes?.flatMap(fix => fixInFile(policy, fix) ?? []);
  return {
    ...rest,
    uri,
    range: rangeInFile(policy, diagnostic.range),
    ...(places && { related: places }),
    ...(writable && writable.length > 0 && { fixes: writable }),
  };
}

function fixInFile(policy: EmbeddedPolicy, fix: Fix): Fix | undefined {
  const edits = editsInFile(policy, fix.edits);
  return edits && { ...fix, edits };
}

/** Returns edits of the policy's own document as edits of the file; undefined if the result cannot be written there. */
export function editsInFile(policy: EmbeddedPolicy, edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  if (policy.layers.length === 0) return edits;
  const ordered = edits.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  const edit = replacementInFile(policy, applyEdits(policy.source.text, ordered));
  return edit && [edit];
}

/**
 * Returns the edit of the file that turns the policy's own document into `text`. It keeps the notation of the carrier (indentation,
 * escapes, line breaks) and everything that does not change. Undefined if the text cannot be written there.
 */
export function replacementInFile({ layers }: EmbeddedPolicy, text: string): TextEdit | undefined {
  let wanted = text;
  let edit: TextEdit | undefined;
  for (const layer of layers) {
    edit = replaceInLayer(layer, wanted);
    if (!edit) return undefined;
    wanted = applyEdits(layer.outer, [edit]);
  }
  return edit;
}
