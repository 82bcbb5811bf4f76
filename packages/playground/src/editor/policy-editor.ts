// The editor: CodeMirror over the language server, with one state for each file.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleTabFocusMode } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import {
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPPlugin,
  renameKeymap,
  signatureHelp,
} from '@codemirror/lsp-client';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, RangeSetBuilder, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { PlaygroundFile } from '../permalink.ts';
import { codeActions } from './code-actions.ts';
import { serverCompletions } from './completion.ts';
import { LanguageClient, type ServerFinding } from './language-client.ts';
import {
  type EditedFile,
  languageOf,
  offsetOf,
  plainState,
  positionOf,
  type ServerPosition,
  type ShowsFiles,
  uriOf,
} from './workspace.ts';

/** What the editor tells the page. */
interface EditorEvents {
  /** Called after each change of a text, a name or the shown file. */
  readonly changed: () => void;
  /** Called with all findings in a file. */
  readonly found: (name: string, findings: readonly ServerFinding[]) => void;
  /** Called when the checks had to be stopped. */
  readonly stopped: (message: string) => void;
}

/** Where the editor is, and what it starts. */
interface EditorSetup {
  readonly parent: HTMLElement;
  /** The address of the language server's worker. */
  readonly server: string;
  readonly events: EditorEvents;
}

/** The file with the settings. */
const PROJECT_FILE = 'tollgate.yaml';

/** How long to wait for the next key before settings apply to all files, in ms. */
const SETTINGS_PAUSE_MS = 250;

/** The files, of which one is shown and edited. */
export class PolicyEditor implements ShowsFiles {
  readonly view: EditorView;
  readonly #events: EditorEvents;
  readonly #server: LanguageClient;
  readonly #findings = new Map<string, readonly ServerFinding[]>();
  #files: readonly EditedFile[] = [];
  #active: EditedFile | undefined;
  #profile = '';
  #settingsTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ parent, server, events }: EditorSetup) {
    this.#events = events;
    this.view = new EditorView({ parent, state: plainState('') });
    this.#server = new LanguageClient(server, this, {
      shown: () => ({ files: this.files, profile: this.#profile }),
      events: {
        found: (name, findings) => {
          this.#findings.set(name, findings);
          if (name === this.#active?.name) this.#showFindings();
          events.found(name, findings);
        },
        stopped: events.stopped,
      },
    });
  }

  get active(): EditedFile | undefined {
    return this.#active;
  }

  get edited(): readonly EditedFile[] {
    return this.#files;
  }

  /** The files as they are now. */
  get files(): readonly PlaygroundFile[] {
    return this.#files.map(one => ({ name: one.name, text: this.#stateOf(one).doc.toString() }));
  }

  /** Replaces all files. */
  open(files: readonly PlaygroundFile[], active: string, profile: string): void {
    this.#profile = profile;
    this.#findings.clear();
    this.#active = undefined;
    this.view.setState(plainState(''));
    this.#files = files.map(({ name, text }) => ({ name, state: this.#newState(name, text) }));
    this.#show(this.#files.find(({ name }) => name === active) ?? this.#files[0]!);
    this.#server.filesReplaced();
    this.#events.changed();
  }

  /** Sets the profile where settings name none. */
  setProfile(profile: string): void {
    this.#profile = profile;
    this.#server.filesChanged();
    this.#events.changed();
  }

  /** Adds a file, or replaces its text. */
  write({ name, text }: PlaygroundFile): void {
    const found = this.#files.find(one => one.name === name);
    if (found === undefined) this.#files = [...this.#files, { name, state: this.#newState(name, text) }];
    else if (found === this.#active) {
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    } else found.state = this.#newState(name, text);
    this.#server.filesChanged();
    this.#events.changed();
  }

  /** Removes a file. The last one stays. */
  remove(name: string): void {
    const rest = this.#files.filter(one => one.name !== name);
    if (rest.length === 0) return;
    const wasActive = this.#active?.name === name;
    this.#files = rest;
    this.#findings.delete(name);
    if (wasActive) {
      this.#active = undefined;
      this.#show(rest[0]!);
    }
    this.#server.filesChanged();
    this.#events.changed();
  }

  show(name: string): void {
    const file = this.#files.find(one => one.name === name);
    if (!file || file === this.#active) return;
    this.#show(file);
    this.#events.changed();
  }

  /** Resolves when all checks of all files have been reported. */
  settled(): Promise<void> {
    return this.#server.settled();
  }

  /** Shows a place in a file, and puts the cursor there. */
  reveal(name: string, { range: { start } }: Pick<ServerFinding, 'range'>): void {
    this.show(name);
    const at = offsetOf(this.view.state.doc, start);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  changedElsewhere(): void {
    this.#server.filesChanged();
    this.#events.changed();
  }

  #show(file: EditedFile): void {
    // What was typed last must reach the server before the plugin of this file is gone.
    if (this.#active) this.#server.client.sync();
    if (this.#active) this.#active.state = this.view.state;
    this.#active = file;
    this.view.setState(file.state);
    this.#showFindings();
  }

  #stateOf(file: EditedFile): EditorState {
    return file === this.#active ? this.view.state : file.state;
  }

  #newState(name: string, text: string): EditorState {
    const isRead = languageOf(name) !== undefined;
    return EditorState.create({
      doc: text,
      extensions: [
        editing(name),
        EditorView.updateListener.of(update => {
          if (!update.docChanged) return;
          this.#changed(name);
        }),
        ...(isRead ? [this.#server.client.plugin(uriOf(name), languageOf(name)), serverFeatures()] : []),
      ],
    });
  }

  #changed(name: string): void {
    if (languageOf(name) !== undefined) {
      this.#server.client.sync();
      this.#server.expectFindings();
    }
    const settings = this.#files.find(one => one.name === PROJECT_FILE);
    const isSetting = name === PROJECT_FILE || (settings && this.#stateOf(settings).doc.toString().includes(name));
    if (isSetting) {
      clearTimeout(this.#settingsTimer);
      this.#settingsTimer = setTimeout(() => this.#server.filesChanged(), SETTINGS_PAUSE_MS);
    }
    this.#events.changed();
  }

  #showFindings(): void {
    const { state } = this.view;
    const found = this.#findings.get(this.#active?.name ?? '') ?? [];
    this.view.dispatch(
      setDiagnostics(
        state,
        found.map(one => shownFinding(one, state)),
      ),
    );
  }
}

const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'info', 4: 'hint' } as const;

/** Returns the severity of a finding in words. */
export function severityOf({ severity = 1 }: ServerFinding): Diagnostic['severity'] {
  return SEVERITIES[severity];
}

function shownFinding(finding: ServerFinding, { doc }: EditorState): Diagnostic {
  const from = offsetOf(doc, finding.range.start);
  const to = Math.max(from, offsetOf(doc, finding.range.end));
  const { code, message } = finding;
  return { from, to, severity: severityOf(finding), message, ...(code !== undefined && { source: String(code) }) };
}

function editing(name: string): Extension {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': `Text of ${name}; Escape, then Tab leaves the editor`,
      tabindex: '0',
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      { key: 'Ctrl-m', run: toggleTabFocusMode },
      indentWithTab,
    ]),
  ];
}

function serverFeatures(): Extension {
  return [
    serverCompletions(),
    serverDecorations(),
    codeActions(),
    lintGutter(),
    hoverTooltips(),
    signatureHelp(),
    keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
  ];
}

// Semantic colours and inlay hints of the language server, which the client of CodeMirror does not have.

/** How long to wait for the next key before asking, in ms. */
const PAUSE_MS = 120;

/** Returns the extension that shows colours and hints. */
function serverDecorations(): Extension {
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
