import { lineStart, type Range, type SourceText } from '@tollgate/diagnostics';
import { encodedInFile, type TextStyle } from '@tollgate/policy';
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from 'vscode-languageserver-types';
import { shapeAt, shapedDocument } from '../cursor/document-shape.ts';
import { type ExpressionPosition, expressionBefore } from '../cursor/expression-place.ts';
import { contextAt, type PositionContext } from '../cursor/position-context.ts';
import { paragraphs } from '../features/describe.ts';
import { setVariables } from '../features/occurrences.ts';
import { type Indentation, toRange } from '../protocol.ts';
import type { EmbeddedSnapshot, Snapshot } from '../snapshot.ts';
import { completeExpression } from './complete-expression.ts';
import { completeKeys, completeValue, type Suggestion } from './complete-keys.ts';

/**
 * Returns what may stand at an offset of a document. The document may have errors anywhere.
 *
 * @param files paths that a file of tests or invariants may name as its policy, relative to its directory
 */
export function complete(snapshot: Snapshot, offset: number, files: readonly string[] = []): readonly Suggestion[] {
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
  const position = { snapshot, document, context, shape, offset, files, word: wordRange(text, context, offset) };
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
  const quote = where.context.style === 'single' ? '"' : "'";
  return completeExpression({
    ...before,
    endpoint: target.endpoint,
    word,
    quote,
    setVariables: setVariables(snapshot.policies.map(one => one.policy)),
  });
}

/** Maximum number of suggestions of one request. */
const MAX_SUGGESTIONS = 500;

/** Where suggestions are shown: the document of the client, and the policy in a string of it that they are about. */
interface Shown {
  readonly source: SourceText;
  readonly inner: EmbeddedSnapshot | undefined;
  /** From offsets of the policy's document to those of the client's: a suggestion replaces only what is on the line of the cursor. */
  readonly shift: number;
}

/**
 * Converts suggestions; those that cannot be written in the string around them are left out. `data` is the index, by which
 * {@link resolveItem} finds the documentation.
 */
export function completionList(
  suggestions: readonly Suggestion[],
  { source, inner, shift }: Shown,
  { snippets, indents }: { readonly snippets: boolean; readonly indents: Indentation },
): CompletionList {
  const items = suggestions.slice(0, MAX_SUGGESTIONS).flatMap((one, index): readonly CompletionItem[] => {
    const { label, kind, detail, text = label, snippet, rank = 1, isDeprecated, continues } = one;
    const origin = (one.origin ?? one.range.start) + shift;
    const written = inner ? encodedInFile(inner.embedded, text) : text;
    if (written === undefined) return [];
    const expanded = snippets ? snippetIn(snippet, inner) : undefined;
    const isSnippet = expanded !== undefined;
    const isLong = isSnippet && expanded.includes('\n');
    // A client that indents to the column of the snippet must begin it there.
    const start = isLong && indents === 'column' ? origin : one.range.start + shift;
    const kept = source.text.slice(start, one.range.start + shift);
    const range = { start, end: one.range.end + shift };
    return [
      {
        label,
        kind,
        data: index,
        sortText: `${rank}${String(index).padStart(4, '0')}`,
        filterText: source.text[range.start] === '"' && range.start < range.end ? `"${label}"` : label,
        textEdit: {
          range: toRange(source, range),
          newText: isLong ? indented(`${kept}${expanded}`, source, origin, indents) : (expanded ?? written),
        },
        insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        ...(isLong && indents === 'as-is' && { insertTextMode: InsertTextMode.asIs }),
        ...(detail !== undefined && { detail }),
        ...(isDeprecated && { tags: [CompletionItemTag.Deprecated] }),
        ...(continues && { command: { title: 'suggest', command: 'editor.action.triggerSuggest' } }),
      },
    ];
  });
  // Helix shows items in this order, whatever their `sortText`.
  const sorted = items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1));
  return { isIncomplete: suggestions.length > MAX_SUGGESTIONS, items: sorted };
}

/**
 * Indents the lines of a snippet after the first, which are relative to the column of an offset, as far as the client does not. One that
 * begins each line like that of the cursor gets the difference: none for a key on a line of its own, two spaces after a dash.
 */
function indented(snippet: string, source: SourceText, origin: number, indents: Indentation): string {
  if (indents === 'column') return snippet;
  const before = source.text.slice(lineStart(source.text, origin), origin);
  const own = /^[ \t]*/.exec(before)![0];
  const indentation = `${indents === 'as-is' ? own : ''}${' '.repeat(before.length - own.length)}`;
  return snippet.replaceAll('\n', `\n${indentation}`);
}

/** Snippets are offered where the lines of a policy are those of the file; elsewhere a line break would need an escape. */
const LINE_STYLES: readonly TextStyle[] = ['literal', 'fence', 'heredoc'];

function snippetIn(snippet: string | undefined, inner: EmbeddedSnapshot | undefined): string | undefined {
  if (snippet === undefined || !inner) return snippet;
  const { layers } = inner.embedded;
  if (layers.some(({ style }) => !LINE_STYLES.includes(style))) return undefined;
  // In a heredoc, `${` is written `$${`; a dollar sign of a snippet's text is escaped already.
  return layers.some(({ style }) => style === 'heredoc') ? snippet.replaceAll('\\${', '\\$\\${') : snippet;
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
  return project.rules().map(({ id, summary, rationale }) => ({
    label: id,
    kind: CompletionItemKind.Constant,
    detail: summary,
    range: { start: offset - typed.length, end: nearestWord(text, offset).end },
    documentation: () => paragraphs([summary, rationale]),
  }));
}
