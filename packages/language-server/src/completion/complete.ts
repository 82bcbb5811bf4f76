import { lineStart, type Range, type SourceText } from '@tollgate/diagnostics';
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver-types';
import { shapeAt, shapedDocument } from '../cursor/document-shape.ts';
import { type ExpressionPosition, expressionBefore } from '../cursor/expression-place.ts';
import { contextAt, type PositionContext } from '../cursor/position-context.ts';
import { paragraphs } from '../features/describe.ts';
import { toRange } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';
import { completeExpression } from './complete-expression.ts';
import { completeKeys, completeValue, type Suggestion } from './complete-keys.ts';

/** Returns what may stand at an offset of a document. The document may have errors anywhere. */
export function complete(snapshot: Snapshot, offset: number): readonly Suggestion[] {
  const document = shapedDocument(snapshot, offset);
  if (!document) return [];
  const { text } = snapshot.source;
  const comment = completeComment(snapshot, offset);
  if (comment) return comment;
  const context = contextAt(text, offset);
  const shape = shapeAt(context, document);
  if (!shape) return [];
  const inside = suggestionsInExpression(snapshot, offset, { context, shape, target: document.target });
  if (inside) return inside;
  const position = { snapshot, document, context, shape, offset, word: wordRange(text, context, offset) };
  const isKey = context.at === 'key' && (shape.type.kind === 'object' || shape.type.kind === 'map');
  return isKey ? completeKeys(position) : completeValue(position);
}

function suggestionsInExpression(
  snapshot: Snapshot,
  offset: number,
  where: ExpressionPosition,
): readonly Suggestion[] | undefined {
  const before = expressionBefore(snapshot, offset, where);
  const { target } = where;
  if (!before || !target) return undefined;
  const word = nearestWord(snapshot.source.text, offset);
  return completeExpression({ ...before, endpoint: target.endpoint, word });
}

/** Maximum number of suggestions of one request. */
const MAX_SUGGESTIONS = 500;

/** Converts suggestions. `data` is the index, by which {@link resolveItem} finds the documentation. */
export function completionList(
  suggestions: readonly Suggestion[],
  source: SourceText,
  { snippets }: { readonly snippets: boolean },
): CompletionList {
  const items = suggestions.slice(0, MAX_SUGGESTIONS).map((one, index): CompletionItem => {
    const { label, kind, detail, text = label, snippet, range, rank = 1, isDeprecated, continues } = one;
    const isSnippet = snippets && snippet !== undefined;
    const written = source.text.slice(range.start, range.end);
    return {
      label,
      kind,
      data: index,
      sortText: `${rank}${String(index).padStart(4, '0')}`,
      filterText: written.startsWith('"') ? `"${label}"` : label,
      textEdit: { range: toRange(source, range), newText: isSnippet ? snippet : text },
      insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      ...(isSnippet && { insertTextMode: 2 }),
      ...(detail !== undefined && { detail }),
      ...(isDeprecated && { tags: [CompletionItemTag.Deprecated] }),
      ...(continues && { command: { title: 'suggest', command: 'editor.action.triggerSuggest' } }),
    };
  });
  return { isIncomplete: suggestions.length > MAX_SUGGESTIONS, items };
}

/** Adds the documentation to an item of the last list. */
export function resolveItem(item: CompletionItem, suggestions: readonly Suggestion[]): CompletionItem {
  const suggestion = suggestions[Number(item.data)];
  const value = suggestion?.label === item.label ? suggestion.documentation?.() : undefined;
  return value ? { ...item, documentation: { kind: MarkupKind.Markdown, value } } : item;
}

/** Returns the key or scalar at the cursor, which a suggestion replaces. */
function wordRange(text: string, { start, style, isFlow }: PositionContext, offset: number): Range {
  if (style === undefined) return { start: offset, end: offset };
  const stop = style === 'double' ? /["\r\n]/ : style === 'single' ? /['\r\n]/ : isFlow ? /[\s:,[\]{}#]/ : /[\s:#]/;
  return { start, end: offset + lengthUntil(text, offset, stop) };
}

/** Returns the identifier at the cursor. */
function nearestWord(text: string, offset: number): Range {
  const before = /\w*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0].length ?? 0;
  return { start: offset - before, end: offset + lengthUntil(text, offset, /\W/) };
}

function lengthUntil(text: string, offset: number, stop: RegExp): number {
  const rest = text.slice(offset, offset + 200);
  const found = rest.search(stop);
  return found < 0 ? rest.length : found;
}

const COMMENT = /(?:^|\s)#\s*([^\n]*)$/;
const IGNORE = /^tollgate-ignore(?:-\w+)?\s+(?:[^\s-][^\s]*\s+)*([\w/*-]*)$/;

/** Returns the ids that a suppression may name; undefined outside of comments. */
function completeComment({ source, project }: Snapshot, offset: number): readonly Suggestion[] | undefined {
  const { text } = source;
  const line = text.slice(lineStart(text, offset), offset);
  const found = COMMENT.exec(line);
  if (!found || /["'][^"']*#[^"']*$/.test(line)) return undefined;
  const [, comment = ''] = found;
  const ignore = IGNORE.exec(comment);
  if (!ignore) {
    const range = nearestWord(text, offset);
    const isStart = /^[\w-]*$/.test(comment);
    const start = range.end - comment.length;
    return isStart
      ? [
          {
            label: 'tollgate-ignore',
            text: 'tollgate-ignore ',
            kind: CompletionItemKind.Keyword,
            range: { start, end: range.end },
            continues: true,
          },
        ]
      : [];
  }
  const typed = ignore[1] ?? '';
  return project.rules.map(({ id, summary, rationale }) => ({
    label: id,
    kind: CompletionItemKind.Constant,
    detail: summary,
    range: { start: offset - typed.length, end: nearestWord(text, offset).end },
    documentation: () => paragraphs([summary, rationale]),
  }));
}
