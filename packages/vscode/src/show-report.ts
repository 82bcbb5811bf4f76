import { basename, dirname } from 'node:path';
import { type ExtensionContext, ProgressLocation, window, workspace } from 'vscode';
import type { CommandLine } from './command-line.ts';
import { pathOf } from './open-documents.ts';
import { failurePage, type Html, reportIn, type Subject } from './page.ts';
import type { NamedPolicy } from './policy-at-cursor.ts';
import type { ResultsPanel } from './results-panel.ts';
import type { PolicyServer } from './shared/policy-server.ts';

/** What commands share. */
export interface Session {
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
export async function showReport<Report>({ panel, run }: Session, asked: ReportRun<Report>): Promise<void> {
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
