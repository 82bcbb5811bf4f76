import type { Uri } from 'vscode';
import { type RuleOfInterest, replayPage } from '../results/replay-page.ts';
import type { ReplayReport } from '../results/replay-report.ts';
import { policyDocument } from './policy-document.ts';
import type { Session } from './session.ts';
import { showReport } from './show-report.ts';
import { chooseTraffic, readingOptions } from './traffic.ts';

/** Replays recorded traffic through a policy, and shows hits next to its rules. If a rule is given, its line is highlighted. */
export async function replayTraffic(session: Session, uri?: Uri | string, interest?: RuleOfInterest): Promise<void> {
  const policy = await policyDocument(uri);
  const traffic = policy && (await chooseTraffic(session, policy.document));
  if (!policy || !traffic) return;
  const { document, part, argument } = policy;
  await showReport<ReplayReport>(session, {
    what: 'Replay',
    policy,
    args: [
      ...['replay', '--format', 'json', '--quiet', '--color', 'never'],
      ...[...readingOptions(document), argument, ...traffic],
    ],
    codes: [0],
    page: (report, subject) => replayPage(report, subject, interest),
    onReport: report => void session.server.showHits(document.uri, part, report),
  });
}
