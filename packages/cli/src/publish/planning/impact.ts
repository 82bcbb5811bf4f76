import { hasErrors, preparePolicy } from '@tollgate/core/documents';
import { createTargeting, settingsSaying } from '@tollgate/core/targeting';
import { ExternalError } from '@tollgate/diagnostics';
import type { PlannedTarget } from '@tollgate/publisher';
import { type Interval, impact } from '@tollgate/simulator';
import { type FieldMapping, nothingRead } from '@tollgate/traffic';
import { becomesText, formatOutcome } from '../../replay/result/outcome-text.ts';
import type { PublishProject } from '../project/load-project.ts';
import type { PolicyFile } from '../project/policy-file.ts';
import { livePolicySource, liveTarget } from './live-policy.ts';

/** How a plan changes what happens to recorded traffic. */
export interface Impact {
  readonly exchanges: number;
  readonly changed: Interval;
  /** How often each outcome becomes which other, most often first. */
  readonly transitions: readonly { readonly was: string; readonly becomes: string; readonly count: Interval }[];
}

/** The traffic of a project. */
interface ImpactTraffic {
  readonly project: PublishProject;
  readonly traffic: readonly string[];
  readonly mapping: FieldMapping;
}

/** Decides recorded traffic with the live policy and with the new one. Undefined if the policy of the target does not change. */
export async function impactOf(
  planned: PlannedTarget,
  file: PolicyFile,
  { project, traffic, mapping }: ImpactTraffic,
): Promise<Impact | undefined> {
  const module = planned.modules.find(one => one.module === 'policy' && one.changes.length > 0);
  if (!module) return undefined;
  const { target, analysis } = file.analyse();
  const live = livePolicySource('live.json', module.live, target);
  const own = liveTarget(live, target);
  const ofLive = createTargeting(settingsSaying(project.settings, own))(live, own.endpoint);
  if (ofLive instanceof ExternalError) throw ofLive;
  // Errors of the new policy are reported before anything is written.
  if (!analysis.policy || hasErrors(analysis.diagnostics)) return undefined;
  const { runnable, diagnostics } = preparePolicy({ source: live, target: ofLive });
  if (!runnable) {
    const reason = `target \`${planned.target.name}\`: cannot run the live policy: ${diagnostics[0]?.message}`;
    throw new ExternalError('publish/live-policy', reason);
  }
  const found = await impact(
    { policy: runnable.policy, options: runnable },
    { policy: analysis.policy, options: { ...target, environments: analysis.environments } },
    { files: traffic, traffic: { mapping }, top: 0 },
  );
  const { exchanges, files, skipped, changed, transitions } = found;
  const failure = files.flatMap(one => one.failure ?? [])[0];
  if (failure !== undefined) throw new ExternalError(failure.code, failure.message);
  const count = skipped.reduce((sum, one) => sum + one.count, 0);
  if (exchanges === 0) throw nothingRead({ files: traffic, skipped: count, example: skipped[0]?.first[0] });
  return {
    exchanges,
    changed,
    transitions: transitions.map(one => ({
      was: formatOutcome(one.was),
      becomes: becomesText(one),
      count: one.count,
    })),
  };
}
