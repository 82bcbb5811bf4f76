import {
  commands,
  DiagnosticSeverity,
  type Disposable,
  languages,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  type TextDocument,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import type { PolicyServer } from './policy-server.ts';
import { statusText } from './status-text.ts';

/** Shows findings and the profile in force for the active document. Sets the context that menus depend on. */
export class StatusBar implements Disposable {
  readonly #server: PolicyServer;
  readonly #item: StatusBarItem;
  readonly #listeners: readonly Disposable[];
  /** Counts updates; an older one that finishes late is dropped. */
  #update = 0;

  constructor(server: PolicyServer) {
    this.#server = server;
    this.#item = window.createStatusBarItem('tollgate.status', StatusBarAlignment.Right, 90);
    this.#item.name = 'Tollgate';
    this.#item.command = 'tollgate.showMenu';
    const refresh = () => void this.refresh();
    this.#listeners = [
      this.#item,
      window.onDidChangeActiveTextEditor(refresh),
      languages.onDidChangeDiagnostics(({ uris }) => {
        const active = window.activeTextEditor?.document.uri.toString();
        if (uris.some(uri => uri.toString() === active)) refresh();
      }),
      workspace.onDidOpenTextDocument(refresh),
      workspace.onDidGrantWorkspaceTrust(refresh),
      workspace.onDidChangeConfiguration(refresh),
      server.onDidChange(refresh),
    ];
    refresh();
  }

  /** Looks at the active document again. */
  async refresh(): Promise<void> {
    this.#update += 1;
    const update = this.#update;
    const document = window.activeTextEditor?.document;
    const summary = document && (await this.#server.summarize(document));
    if (update !== this.#update) return;
    const hasRules = summary?.kind === 'policy' || summary?.kind === 'embedding' || summary?.kind === 'edge';
    void commands.executeCommand('setContext', 'tollgate.isPolicy', hasRules && this.#server.runsCommands);
    const isWanted = workspace.getConfiguration('tollgate').get('statusBar', true);
    const shown =
      document && summary && isWanted
        ? statusText({
            summary,
            ...countFindings(document),
            isTrusted: workspace.isTrusted,
            version: this.#server.version,
            origin: this.#server.origin,
          })
        : undefined;
    if (!shown) return this.#item.hide();
    this.#item.text = shown.text;
    this.#item.tooltip = new MarkdownString(shown.tooltip, true);
    this.#item.accessibilityInformation = { label: shown.label };
    this.#item.backgroundColor =
      shown.level === 'none' ? undefined : new ThemeColor(`statusBarItem.${shown.level}Background`);
    this.#item.show();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }
}

function countFindings({ uri }: TextDocument): { readonly errors: number; readonly warnings: number } {
  const ours = languages.getDiagnostics(uri).filter(({ source }) => source === 'tollgate');
  const count = (severity: DiagnosticSeverity) => ours.filter(one => one.severity === severity).length;
  return { errors: count(DiagnosticSeverity.Error), warnings: count(DiagnosticSeverity.Warning) };
}
