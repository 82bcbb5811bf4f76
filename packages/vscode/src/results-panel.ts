import { type Disposable, type ExtensionContext, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Content, LINK_COMMANDS, renderPage } from './page.ts';

/** The panel that shows traces, replays and comparisons. There is at most one. */
export class ResultsPanel implements Disposable {
  readonly #media: Uri;
  #panel: WebviewPanel | undefined;

  constructor({ extensionUri }: ExtensionContext) {
    this.#media = Uri.joinPath(extensionUri, 'media');
  }

  /** Shows a page next to the editor, and leaves the focus there. */
  show(title: string, content: Content): void {
    const panel = this.#panel ?? this.#open();
    const { webview } = panel;
    panel.title = title;
    webview.html = renderPage(title, content, {
      styleSource: webview.cspSource,
      styleSheet: String(webview.asWebviewUri(Uri.joinPath(this.#media, 'results.css'))),
    });
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): WebviewPanel {
    const options = { enableScripts: false, enableCommandUris: [...LINK_COMMANDS], localResourceRoots: [this.#media] };
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel('tollgate.results', 'Tollgate', column, options);
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    this.#panel = panel;
    return panel;
  }
}
