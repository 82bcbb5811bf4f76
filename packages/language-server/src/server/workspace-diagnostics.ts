// The diagnostics of all policies, tests and settings in the folders of a workspace, for clients that ask for them.

import {
  type CancellationToken,
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { DocumentKind } from '../host.ts';
import { pathOfUri, uriOfPath } from '../paths.ts';
import { toDiagnostic } from '../protocol.ts';
import { type Checker, shownOf, type Workspace } from '../workspace/workspace.ts';
import type { Client } from './client.ts';

/** What was found in a file that is not open. */
interface CheckedFile {
  readonly text: string;
  readonly kind: DocumentKind;
  readonly resultId: string;
  readonly items: readonly Diagnostic[];
}

interface Parts {
  readonly workspace: Workspace;
  readonly client: Client;
  readonly checker: Checker;
}

/** Number of files in one part of an answer. */
const BATCH = 20;

/**
 * Answers `workspace/diagnostic`: checks the files that have changed since they were last checked, and sends what differs from what the
 * client knows, a part at a time. A client that knows everything waits for the next change, since it would ask again at once.
 */
export class WorkspaceDiagnostics {
  readonly #parts: Parts;
  readonly #files = new Map<string, CheckedFile>();
  #change = Promise.withResolvers<void>();
  #last = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks again: files may have changed, or with `isAll` the settings of all of them. */
  changed(isAll = false): void {
    for (const [path, { kind }] of this.#files)
      if (isAll || kind === 'tests' || kind === 'invariants') this.#files.delete(path);
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Sends reports until the client is up to date. */
  async answer(
    previous: ReadonlyMap<string, string>,
    token: CancellationToken,
    send: (reports: WorkspaceDocumentDiagnosticReport[]) => void,
  ): Promise<void> {
    const cancelled = new Promise<void>(resolve => token.onCancellationRequested(() => resolve()));
    for (let isFirst = true; !token.isCancellationRequested; isFirst = false) {
      const { promise: change } = this.#change;
      const isNews = await this.#report(previous, token, send);
      if (isNews || (isFirst && previous.size === 0)) return;
      await Promise.race([change, cancelled]);
    }
  }

  async #report(
    previous: ReadonlyMap<string, string>,
    token: CancellationToken,
    send: (reports: WorkspaceDocumentDiagnosticReport[]) => void,
  ): Promise<boolean> {
    const { workspace, client } = this.#parts;
    const paths = (await workspace.filesInFolders()).slice(0, client.workspaceFiles);
    const gone = new Set(previous.keys());
    let isNews = false;
    let batch: WorkspaceDocumentDiagnosticReport[] = [];
    const add = (uri: string, resultId: string, items: readonly Diagnostic[]) => {
      isNews = true;
      batch.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, resultId, items: [...items] });
      if (batch.length >= BATCH) send(batch.splice(0));
    };
    for (const path of paths) {
      if (token.isCancellationRequested) return true;
      const uri = workspace.uriAt(path);
      gone.delete(uri);
      // Open documents have diagnostics of their own.
      if (workspace.versionOf(uri) !== undefined) continue;
      const checked = await this.#check(path);
      if (checked && previous.get(uri) !== checked.resultId) add(uri, checked.resultId, checked.items);
    }
    for (const uri of gone) {
      this.#files.delete(pathOfUri(uri));
      if (previous.get(uri) !== GONE_FILE && workspace.versionOf(uri) === undefined) add(uri, GONE_FILE, []);
    }
    if (batch.length > 0) send(batch);
    batch = [];
    return isNews;
  }

  async #check(path: string): Promise<CheckedFile | undefined> {
    const { workspace, client, checker } = this.#parts;
    const source = await workspace.host.readFile(path);
    if (source instanceof Error) return undefined;
    const known = this.#files.get(path);
    if (known?.text === source.text) return known;
    const checked = await checker.check(uriOfPath(path), 'all');
    if (!checked) return undefined;
    this.#last += 1;
    const { kind } = checked;
    const items = shownOf(checked).map(one => toDiagnostic(one, source, client.diagnostics));
    const file = { text: source.text, kind, resultId: `file:${this.#last}`, items };
    this.#files.set(path, file);
    return file;
  }
}

/** The result id of a file that is gone. */
const GONE_FILE = 'file:0';

/** Answers questions about the whole workspace. */
export function answerWorkspacePulls(connection: Connection, whole: WorkspaceDiagnostics): void {
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token, _, progress) => {
    const previous = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items: WorkspaceDocumentDiagnosticReport[] = [];
    await whole.answer(previous, token, reports => {
      if (progress) progress.report({ items: reports });
      else items.push(...reports);
    });
    return { items };
  });
}
