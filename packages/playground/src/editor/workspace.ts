// The files that are open in the language server: all of them, of which the editor shows one.

import { type LSPClient, LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import type { Text, TransactionSpec } from '@codemirror/state';
import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

const DIRECTORY_URI = 'file:///play/';

/** Returns the URI of a file for the language server. */
export function uriOf(name: string): string {
  return `${DIRECTORY_URI}${encodeURIComponent(name)}`;
}

/** Returns the name of a file of a URI. */
export function nameOf(uri: string): string {
  return decodeURIComponent(uri.slice(DIRECTORY_URI.length));
}

/**
 * Files that the language server reads; the others are logs and notes. YAML and JSON without another purpose is a policy here, also if it cannot be
 * read far enough to look like one.
 */
const LANGUAGES: Readonly<Record<string, string>> = {
  yaml: 'tollgate',
  yml: 'tollgate',
  json: 'tollgate',
  md: 'markdown',
  mdx: 'mdx',
  tf: 'terraform',
};

/** Returns the language of a file by its name; undefined for a file that the language server does not read. */
export function languageOf(name: string): string | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}

/** A file, with the state of its editor while another one is shown. */
export interface EditedFile {
  readonly name: string;
  state: EditorState;
}

/** The editor that shows one of the files. */
export interface ShowsFiles {
  readonly view: EditorView;
  readonly active: EditedFile | undefined;
  readonly edited: readonly EditedFile[];
  /** Shows a file. */
  readonly show: (name: string) => void;
  /** Called after a file that is not shown was changed. */
  readonly changedElsewhere: (name: string) => void;
}

/** How a file is opened. */
interface Opening {
  readonly languageId: string;
  readonly version: number;
  readonly doc: Text;
  readonly view: () => EditorView | null;
}

/** A file as the language server knows it. */
class SyncedFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId: string;
  readonly #view: () => EditorView | null;
  version: number;
  doc: Text;

  constructor(name: string, { languageId, version, doc, view }: Opening) {
    this.uri = uriOf(name);
    this.languageId = languageId;
    this.version = version;
    this.doc = doc;
    this.#view = view;
  }

  getView(): EditorView | null {
    return this.#view();
  }
}

/** Keeps the language server's copies of all files current. */
export class AllFiles extends Workspace {
  readonly #editor: ShowsFiles;
  override files: SyncedFile[] = [];
  /** The last versions of files that were closed: what is found in one must not be taken for that of another one with its name. */
  readonly #versions = new Map<string, number>();

  constructor(client: LSPClient, editor: ShowsFiles) {
    super(client);
    this.#editor = editor;
  }

  /** Opens what is new, closes what is gone, and sends what changed without the editor. */
  update(): void {
    const { edited } = this.#editor;
    for (const file of this.files) if (!edited.some(({ name }) => uriOf(name) === file.uri)) this.#close(file);
    for (const one of edited) this.#updateFile(one);
  }

  /** Closes all files, before others with the same names are opened. */
  closeAll(): void {
    for (const file of this.files) this.#close(file);
  }

  #close(file: SyncedFile): void {
    this.files = this.files.filter(one => one !== file);
    this.#versions.set(file.uri, file.version);
    this.client.didClose(file.uri);
  }

  #updateFile(one: EditedFile): void {
    const language = languageOf(one.name);
    if (language === undefined) return;
    const isActive = () => this.#editor.active?.name === one.name;
    const found = this.files.find(({ uri }) => uri === uriOf(one.name));
    if (found === undefined) {
      const doc = isActive() ? this.#editor.view.state.doc : one.state.doc;
      const version = (this.#versions.get(uriOf(one.name)) ?? -1) + 1;
      const view = () => (isActive() ? this.#editor.view : null);
      const file = new SyncedFile(one.name, { languageId: language, version, doc, view });
      this.files.push(file);
      this.client.didOpen(file);
    } else if (!isActive() && !found.doc.eq(one.state.doc)) {
      found.doc = one.state.doc;
      found.version++;
      this.client.notification('textDocument/didChange', {
        textDocument: { uri: found.uri, version: found.version },
        contentChanges: [{ text: found.doc.toString() }],
      });
    }
  }

  override syncFiles(): ReturnType<Workspace['syncFiles']> {
    const { view } = this.#editor;
    const plugin = LSPPlugin.get(view);
    const file = plugin && this.files.find(({ uri }) => uri === plugin.uri);
    if (!plugin || !file || plugin.unsyncedChanges.empty) return [];
    const found = { file, changes: plugin.unsyncedChanges, prevDoc: file.doc };
    file.doc = view.state.doc;
    file.version++;
    plugin.clear();
    return [found];
  }

  // Files are opened and closed by `update`, whether the editor shows them or not.
  override openFile(): void {}
  override closeFile(): void {}

  override updateFile(uri: string, change: TransactionSpec): void {
    const name = nameOf(uri);
    if (this.#editor.active?.name === name) this.#editor.view.dispatch(change);
    else {
      const file = this.#editor.edited.find(one => one.name === name);
      if (!file) return;
      file.state = file.state.update(change).state;
      this.#editor.changedElsewhere(name);
    }
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    if (!this.getFile(uri)) return null;
    this.#editor.show(nameOf(uri));
    return this.#editor.view;
  }
}

/** Returns the edits of the language server in one file as a change of the editor. */
export function changeOf(doc: Text, edits: readonly ServerEdit[]): TransactionSpec {
  return {
    changes: edits.map(({ range, newText }) => ({
      from: offsetOf(doc, range.start),
      to: offsetOf(doc, range.end),
      insert: newText,
    })),
    userEvent: 'input.server',
  };
}

/** A position of the language server. */
export interface ServerPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of the language server. */
export interface ServerRange {
  readonly start: ServerPosition;
  readonly end: ServerPosition;
}

/** An edit of the language server. */
export interface ServerEdit {
  readonly range: ServerRange;
  readonly newText: string;
}

/** Returns the offset of a position; the nearest one if the document is shorter. */
export function offsetOf(doc: Text, { line, character }: ServerPosition): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

/** Returns the position of an offset. */
export function positionOf(doc: Text, offset: number): ServerPosition {
  const { number, from } = doc.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

/** Returns an editor state without extensions, for files that were never shown. */
export function plainState(text: string): EditorState {
  return EditorState.create({ doc: text });
}
