import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { type Uri, window, workspace } from 'vscode';
import { type DiffReport, impactPage } from '../results/impact-page.ts';
import { policyDocument } from './policy-document.ts';
import type { Session } from './session.ts';
import { showReport } from './show-report.ts';

/** Largest committed policy, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Shows which requests the policy decides differently than the committed one. Git runs code that a repository configures, so trust is needed. */
export async function showImpact(session: Session, uri?: Uri | string): Promise<void> {
  if (!workspace.isTrusted)
    return void window.showWarningMessage('Tollgate: trust this workspace to compare with Git.');
  const document = await policyDocument(uri);
  if (!document) return;
  const file = document.uri.fsPath;
  const committed = await committedText(file);
  if (committed instanceof Error) return void window.showWarningMessage(`Tollgate: ${committed.message}`);
  const [target] = (await session.server.summarize(document))?.targets ?? [];
  const chosen = target ? ['--profile', target.profile, '--endpoint', target.endpoint] : [];
  await showReport<DiffReport>(session, {
    what: 'Impact',
    document,
    args: ['diff', '--format', 'json', '--color', 'never', ...chosen, '-', file],
    input: committed,
    codes: [0, 1],
    page: (report, subject) => impactPage(report, subject, 'HEAD'),
  });
}

/** Returns the content of a file in HEAD, or why there is none. Runs no filter that the repository configures. */
function committedText(file: string): Promise<string | Error> {
  const args = ['show', '--no-textconv', `HEAD:./${basename(file)}`];
  const options = { cwd: dirname(file), maxBuffer: MOST_BYTES, windowsHide: true };
  return new Promise(resolve => {
    execFile('git', args, options, (error, output, errors) => {
      const [reason = ''] = (errors || (error?.message ?? '')).trim().split('\n');
      resolve(error ? new Error(`no committed version to compare with: ${reason}`) : output);
    });
  });
}
