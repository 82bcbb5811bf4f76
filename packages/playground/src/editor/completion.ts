// Completion: what the language server suggests, with its ranges, snippets and documentation. The client of CodeMirror has neither
// `completionItem/resolve` nor ranges of single items, and breaks at braces in snippets.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import { LSPPlugin } from '@codemirror/lsp-client';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { offsetOf, positionOf, type ServerEdit, type ServerRange } from './workspace.ts';

interface ServerItem {
  readonly label: string;
  readonly kind?: number;
  readonly detail?: string;
  readonly filterText?: string;
  readonly sortText?: string;
  readonly insertText?: string;
  readonly insertTextFormat?: number;
  readonly textEdit?: { readonly newText: string; readonly range?: ServerRange; readonly replace?: ServerRange };
  readonly additionalTextEdits?: readonly ServerEdit[];
  readonly documentation?: string | { readonly kind: 'markdown' | 'plaintext'; readonly value: string };
  readonly deprecated?: boolean;
}

interface ServerList {
  readonly isIncomplete: boolean;
  readonly items: readonly ServerItem[];
}

/** Kinds of items (LSP 3.18), as CodeMirror names them for its classes. */
const KINDS: Readonly<Record<number, string>> = {
  2: 'method',
  3: 'function',
  5: 'property',
  6: 'variable',
  10: 'property',
  12: 'constant',
  13: 'enum',
  14: 'keyword',
  15: 'text',
  21: 'constant',
};

/** Returns the extension that completes as the language server suggests. */
export function serverCompletions(): Extension {
  return autocompletion({ override: [suggestionsFor], icons: false, maxRenderedOptions: 60 });
}

async function suggestionsFor(context: CompletionContext): Promise<CompletionResult | null> {
  const plugin = context.view && LSPPlugin.get(context.view);
  if (!plugin) return null;
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  const triggers = plugin.client.serverCapabilities?.completionProvider?.triggerCharacters ?? [];
  const isTrigger = triggers.includes(before);
  if (!context.explicit && !isTrigger && !/[\w$]/.test(before)) return null;
  plugin.client.sync();
  const params = {
    textDocument: { uri: plugin.uri },
    position: positionOf(context.state.doc, context.pos),
    context: isTrigger && !context.explicit ? { triggerKind: 2, triggerCharacter: before } : { triggerKind: 1 },
  };
  context.addEventListener('abort', () => plugin.client.cancelRequest(params), { onDocChange: true });
  const found = await plugin.client
    .request<typeof params, ServerList | readonly ServerItem[] | null>('textDocument/completion', params)
    .catch(() => null);
  if (found === null || context.aborted) return null;
  const { items, isIncomplete } = 'items' in found ? found : { items: found, isIncomplete: false };
  return items.length === 0 ? null : resultOf(items, isIncomplete, context);
}

function resultOf(items: readonly ServerItem[], isIncomplete: boolean, context: CompletionContext): CompletionResult {
  const { doc } = context.state;
  const ranges = items.map(item => rangeOf(item, context));
  // The list is filtered by what stands between its start and the cursor.
  const from = Math.max(...ranges.map(one => one.from));
  return {
    from,
    to: context.pos,
    options: items.map((item, index) =>
      optionOf(item, { ...ranges[index]!, shown: from, cursor: context.pos, doc, view: context.view }),
    ),
    ...(!isIncomplete && { validFor: /^[\w-]*$/ }),
  };
}

interface Place {
  /** The range that the item replaces. */
  readonly from: number;
  readonly to: number;
  /** Where the list begins. */
  readonly shown: number;
  readonly cursor: number;
  readonly doc: EditorState['doc'];
  readonly view: EditorView | undefined;
}

function rangeOf(
  { textEdit }: ServerItem,
  { state, pos }: CompletionContext,
): { readonly from: number; readonly to: number } {
  const range = textEdit?.range ?? textEdit?.replace;
  if (range) return { from: offsetOf(state.doc, range.start), to: offsetOf(state.doc, range.end) };
  const { from, text } = state.doc.lineAt(pos);
  const word = /[\w-]*$/.exec(text.slice(0, pos - from))?.[0] ?? '';
  return { from: pos - word.length, to: pos };
}

function optionOf(item: ServerItem, place: Place): Completion {
  const type = item.kind === undefined ? undefined : KINDS[item.kind];
  const skipped = place.shown - place.from;
  const filter = item.filterText ?? item.label;
  return {
    // What is already typed before the start of the list does not count.
    label: filter.slice(Math.min(skipped, filter.length)) || item.label,
    displayLabel: item.label,
    ...(type !== undefined && { type }),
    ...(item.detail !== undefined && { detail: item.detail }),
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    apply: (view, completion, _, to) => insert(view, { item, completion, place, to }),
    info: () => documentationOf(item, place.view),
  };
}

interface Insertion {
  readonly item: ServerItem;
  readonly completion: Completion;
  readonly place: Place;
  /** Where the cursor is now: more may have been typed since. */
  readonly to: number;
}

function insert(view: EditorView, { item, completion, place, to }: Insertion): void {
  const text = item.textEdit?.newText ?? item.insertText ?? item.label;
  // What the item replaces after the cursor.
  const after = to + Math.max(0, place.to - place.cursor);
  const extra = (item.additionalTextEdits ?? []).map(({ range, newText }) => ({
    from: offsetOf(place.doc, range.start),
    to: offsetOf(place.doc, range.end),
    insert: newText,
  }));
  if (item.insertTextFormat === 2) snippet(templateOf(text))(view, completion, place.from, after);
  else {
    view.dispatch({
      changes: { from: place.from, to: after, insert: text },
      selection: { anchor: place.from + text.length },
      userEvent: 'input.complete',
      annotations: pickedCompletion.of(completion),
    });
  }
  if (extra.length > 0) view.dispatch({ changes: extra });
}

/** Returns what explains an item, which the server sends on request only. */
async function documentationOf(item: ServerItem, view: EditorView | undefined): Promise<Node | null> {
  const plugin = view && LSPPlugin.get(view);
  if (!plugin) return null;
  const resolved = await plugin.client
    .request<ServerItem, ServerItem>('completionItem/resolve', item)
    .catch(() => item);
  if (resolved.documentation === undefined) return null;
  const dom = document.createElement('div');
  dom.className = 'documentation';
  dom.innerHTML = plugin.docToHTML(resolved.documentation, 'markdown');
  return dom;
}

/** Returns a snippet of the protocol as a template of CodeMirror, whose placeholders may not contain braces. */
export function templateOf(text: string): string {
  let template = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === '\\' && at + 1 < text.length) {
      template += literal(text[at + 1]!);
      at += 2;
      continue;
    }
    const stop = /^\$(?:(\d+)|\{(\d+)\})/.exec(text.slice(at));
    if (stop) {
      template += `\${${stop[1] ?? stop[2]}}`;
      at += stop[0].length;
      continue;
    }
    const opened = /^\$\{(\d+)([:|])/.exec(text.slice(at));
    if (!opened) {
      template += literal(char);
      at++;
      continue;
    }
    const end = closingBrace(text, at + opened[0].length);
    const content = text.slice(at + opened[0].length, end);
    const [, number, sign] = opened;
    const shown = sign === '|' ? content.replace(/\|$/, '').split(',')[0]! : content.replaceAll(/\\(.)/g, '$1');
    template += /[{}]/.test(shown) ? `\${${number}}${[...shown].map(literal).join('')}` : `\${${number}:${shown}}`;
    at = end + 1;
  }
  return template;
}

function literal(char: string): string {
  return /[{}\\]/.test(char) ? `\\${char}` : char;
}

/** Returns where the placeholder ends that begins before `start`. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}
