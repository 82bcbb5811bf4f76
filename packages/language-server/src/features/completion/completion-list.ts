import type { SourceText } from '@tollgate/diagnostics';
import {
  type CompletionItem,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver-types';
import { toRange } from '../../protocol/ranges.ts';
import type { Suggestion } from './suggestion.ts';

/** Maximum number of suggestions of one request. */
const MOST = 500;

/** Converts suggestions. `data` is the index, by which {@link resolveItem} finds the documentation. */
export function completionList(
  suggestions: readonly Suggestion[],
  source: SourceText,
  { snippets }: { readonly snippets: boolean },
): CompletionList {
  const items = suggestions.slice(0, MOST).map((one, index): CompletionItem => {
    const { label, kind, detail, text = label, snippet, range, rank = 1, isDeprecated, continues } = one;
    const isSnippet = snippets && snippet !== undefined;
    const written = source.text.slice(range.start, range.end);
    return {
      ...{ label, kind, data: index },
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
  return { isIncomplete: suggestions.length > MOST, items };
}

/** Adds the documentation to an item of the last list. */
export function resolveItem(item: CompletionItem, suggestions: readonly Suggestion[]): CompletionItem {
  const suggestion = suggestions[Number(item.data)];
  const value = suggestion?.label === item.label ? suggestion.documentation?.() : undefined;
  return value ? { ...item, documentation: { kind: MarkupKind.Markdown, value } } : item;
}
