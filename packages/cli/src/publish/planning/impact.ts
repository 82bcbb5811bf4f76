import { createTargeting } from '@tollgate/core/targeting';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, type Policy } from '@tollgate/policy';
import { type PlannedTarget, phasesOf } from '@tollgate/publisher';
import { createSimulation, type Decision } from '@tollgate/simulator';
import { nothingRead, readTraffic } from '@tollgate/traffic';
import type { PublishProject } from '../project/load-project.ts';
import type { PolicyFile } from '../project/read-targets.ts';

/** How a plan changes what happens to recorded traffic. */
export interface Impact {
  readonly exchanges: number;
  readonly changed: number;
  /** How often each outcome becomes which other, most often first. */
  readonly transitions: readonly { readonly was: string; readonly becomes: string; readonly count: number }[];
}

/** Decides recorded traffic with the live policy and with the new one. Undefined if the policy of the target does not change. */
export async function impactOf(
  planned: PlannedTarget,
  file: PolicyFile,
  { project, traffic }: { readonly project: PublishProject; readonly traffic: readonly string[] },
): Promise<Impact | undefined> {
  const module = planned.modules.find(one => one.module === 'policy' && one.changes.length > 0);
  if (!module) return undefined;
  const { target, analysis } = file.analyse();
  const live = new SourceText(
    'live.json',
    JSON.stringify({ enabled: module.live?.enabled ?? true, ...phasesOf(module.live) }),
  );
  const isSameProfile = createTargeting(project.settings)(live, target.endpoint);
  const liveTarget = isSameProfile instanceof ExternalError ? target : isSameProfile;
  const before = module.live === null ? EMPTY : live;
  const was = analyzePolicy(before, { ...target, ...(module.live !== null && liveTarget) });
  if (!was.policy || !analysis.policy) return undefined;
  const runs = [
    createSimulation(was.policy, { ...target, ...liveTarget, environments: was.environments }).begin(),
    createSimulation(analysis.policy as Policy, { ...target, environments: analysis.environments }).begin(),
  ] as const;
  const counts = new Map<string, number>();
  let exchanges = 0;
  for (const path of traffic) {
    for await (const batch of readTraffic(path)) {
      for (const one of batch.exchanges) {
        exchanges++;
        const [then, now] = runs.map(run => outcomeText(run.decide(one))) as [string, string];
        if (then !== now) counts.set(`${then}\n${now}`, (counts.get(`${then}\n${now}`) ?? 0) + 1);
      }
    }
  }
  if (exchanges === 0) throw nothingRead({ files: traffic, skipped: 0, example: undefined });
  const transitions = [...counts]
    .map(([key, count]) => ({ was: key.split('\n')[0]!, becomes: key.split('\n')[1]!, count }))
    .sort((a, b) => b.count - a.count);
  return { exchanges, changed: transitions.reduce((sum, { count }) => sum + count, 0), transitions };
}

const EMPTY = new SourceText('live.json', '{"inbound":[]}');

function outcomeText({ outcomes }: Decision): string {
  return outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`)).join(' or ');
}
