import { type Uri, window, workspace } from 'vscode';
import { type DiffReport, impactPage } from '../results/impact-page.ts';
import { type TrafficImpactReport, trafficImpactPage } from '../results/traffic-impact-page.ts';
import { type NamedPolicy, policyDocument } from './policy-document.ts';
import type { Session } from './session.ts';
import { showReport } from './show-report.ts';
import { chooseTraffic, readingOptions } from './traffic.ts';

const REVISION = 'HEAD';

/** Shows which requests the policy decides differently than the committed one. */
export async function showImpact(session: Session, uri?: Uri | string): Promise<void> {
  const policy = await trustedPolicy(uri);
  if (!policy) return;
  const { document, argument } = policy;
  const [target] = (await session.server.summarize(document))?.targets ?? [];
  const chosen = target ? ['--profile', target.profile, '--endpoint', target.endpoint] : [];
  await showReport<DiffReport>(session, {
    what: 'Impact',
    policy,
    args: ['diff', '--format', 'json', '--color', 'never', ...chosen, `git:${REVISION}`, argument],
    codes: [0, 1],
    page: (report, subject) => impactPage(report, subject, REVISION),
  });
}

/** Shows what becomes of recorded traffic that the policy decides differently than the committed one. */
export async function showTrafficImpact(session: Session, uri?: Uri | string): Promise<void> {
  const policy = await trustedPolicy(uri);
  const traffic = policy && (await chooseTraffic(session, policy.document));
  if (!policy || !traffic) return;
  await showReport<TrafficImpactReport>(session, {
    what: 'Impact',
    policy,
    args: [
      ...['impact', '--format', 'json', '--no-progress', '--color', 'never'],
      ...[...readingOptions(policy.document), `git:${REVISION}`, policy.argument, ...traffic],
    ],
    codes: [0],
    page: (report, subject) => trafficImpactPage(report, subject, REVISION),
  });
}

/** Git is started in trusted workspaces only, although no filter or hook of the repository runs. */
async function trustedPolicy(uri: Uri | string | undefined): Promise<NamedPolicy | undefined> {
  if (workspace.isTrusted) return policyDocument(uri);
  void window.showWarningMessage('Tollgate: trust this workspace to compare with Git.');
  return undefined;
}
