// Semantic colours and inlay hints of the language server, which the client of CodeMirror does not have.

import { LSPPlugin } from '@codemirror/lsp-client';
import type { Extension, Text } from '@codemirror/state';
import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { offsetOf, positionOf, type ServerPosition } from './workspace.ts';

/** How long to wait for the next key before asking, in ms. */
const PAUSE_MS = 120;

/** Returns the extension that shows colours and hints. */
export function serverDecorations(): Extension {
  return [
    ViewPlugin.fromClass(SemanticColours, { decorations: plugin => plugin.decorations }),
    ViewPlugin.fromClass(InlayHints, { decorations: plugin => plugin.decorations }),
  ];
}

/** Asks the server after each pause; until the answer, decorations move with the text. Answers to older texts are dropped. */
abstract class AskingPlugin {
  decorations: DecorationSet = Decoration.none;
  readonly #view: EditorView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  constructor(view: EditorView) {
    this.#view = view;
    this.#askSoon(0);
  }

  protected abstract ask(plugin: LSPPlugin, doc: Text): Promise<DecorationSet>;

  update(update: ViewUpdate): void {
    if (!update.docChanged) return;
    this.decorations = this.decorations.map(update.changes);
    this.#askSoon(PAUSE_MS);
  }

  destroy(): void {
    this.#isGone = true;
    clearTimeout(this.#timer);
  }

  #askSoon(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask().catch(() => {}), pause);
  }

  async #ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.#view);
    const { doc } = this.#view.state;
    if (!plugin) return;
    plugin.client.sync();
    const found = await this.ask(plugin, doc);
    if (this.#isGone || this.#view.state.doc !== doc) return;
    this.decorations = found;
    this.#view.dispatch({});
  }
}

class SemanticColours extends AskingPlugin {
  protected override async ask({ client, uri }: LSPPlugin, doc: Text): Promise<DecorationSet> {
    const params = { textDocument: { uri } };
    const answer = await client.request<typeof params, { readonly data: readonly number[] } | null>(
      'textDocument/semanticTokens/full',
      params,
    );
    const legend = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    return coloursOf(answer?.data ?? [], legend, doc);
  }
}

/** Returns the decorations of tokens, of which each has five numbers (LSP 3.18, semantic tokens). */
function coloursOf(data: readonly number[], legend: readonly string[], doc: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let [line, character] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines, characters, length, type] = [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
    line += lines;
    character = lines === 0 ? character + characters : characters;
    const from = offsetOf(doc, { line, character });
    const to = Math.min(from + length, doc.length);
    if (to > from) builder.add(from, to, Decoration.mark({ class: `token-${legend[type] ?? 'other'}` }));
  }
  return builder.finish();
}

interface ServerHint {
  readonly position: ServerPosition;
  readonly label: string | readonly { readonly value: string }[];
  readonly paddingLeft?: boolean;
  readonly paddingRight?: boolean;
}

class InlayHints extends AskingPlugin {
  protected override async ask({ client, uri }: LSPPlugin, doc: Text): Promise<DecorationSet> {
    const params = {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: positionOf(doc, doc.length) },
    };
    const hints = await client.request<typeof params, readonly ServerHint[] | null>('textDocument/inlayHint', params);
    return Decoration.set(
      (hints ?? []).map(hint => {
        const at = offsetOf(doc, hint.position);
        return Decoration.widget({ widget: new HintWidget(textOf(hint)), side: 1 }).range(at);
      }),
      true,
    );
  }
}

function textOf({ label, paddingLeft, paddingRight }: ServerHint): string {
  const text = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
  return `${paddingLeft ? ' ' : ''}${text}${paddingRight ? ' ' : ''}`;
}

class HintWidget extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: HintWidget): boolean {
    return other.#text === this.#text;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement('span');
    dom.className = 'inlay-hint';
    dom.textContent = this.#text;
    return dom;
  }
}
