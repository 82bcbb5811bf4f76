// Runs the command on what the editor shows, and shows its report in the panel of results.

import { basename, dirname } from 'node:path';
import {
  type Disposable,
  type ExtensionContext,
  ProgressLocation,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import type { CommandLine } from './command-line.ts';
import { type Content, failurePage, type Html, LINK_COMMANDS, renderPage, reportIn, type Subject } from './page.ts';
import { type NamedPolicy, pathOf } from './policy-at-cursor.ts';
import type { PolicyServer } from './shared/policy-server.ts';

/** What commands share. */
export interface CommandSession {
  readonly context: ExtensionContext;
  readonly server: PolicyServer;
  readonly run: CommandLine;
  readonly panel: ResultsPanel;
}

/** A run of the command whose report is shown. */
interface ReportRun<Report> {
  /** What runs, such as `Trace`. */
  readonly what: string;
  readonly policy: NamedPolicy;
  readonly args: readonly string[];
  /** Exit codes with which there is a report. */
  readonly codes: readonly number[];
  readonly page: (report: Report, subject: Subject) => Html;
  /** Receives the report. */
  readonly onReport?: (report: Report) => void;
}

/**
 * Runs the command on what the editor shows at this moment, with a progress message that can cancel it, and shows its report, or why there is
 * none.
 */
export async function showReport<Report>({ panel, run }: CommandSession, asked: ReportRun<Report>): Promise<void> {
  const { what, policy, args, codes, page, onReport } = asked;
  const { document, part } = policy;
  const file = pathOf(document);
  const name = workspace.asRelativePath(document.uri);
  const subject = { file, part, label: part === '' ? name : `${name}#${part}` };
  const options = { location: ProgressLocation.Notification, title: `${what}: ${subject.label}`, cancellable: true };
  const result = await window.withProgress(options, (_, token) => run(args, { directory: dirname(file), token }));
  if (result.code === undefined) return;
  const title = `${what}: ${basename(file)}`;
  const report = codes.includes(result.code) ? reportIn<Report>(result.output) : undefined;
  if (report) onReport?.(report);
  panel.show(
    title,
    report ? page(report, subject) : failurePage({ what, subject, ...result, isTrusted: workspace.isTrusted }),
  );
}

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
