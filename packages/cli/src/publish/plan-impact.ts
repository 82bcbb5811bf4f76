// How a plan changes what happens to recorded traffic.

import { relative, resolve } from 'node:path';
import { hasErrors, preparePolicy } from '@tollgate/core/documents';
import { createTargeting, settingsSaying } from '@tollgate/core/targeting';
import { ExternalError } from '@tollgate/diagnostics';
import type { PlannedTarget } from '@tollgate/publisher';
import { becomesText, formatBounds, formatCount, formatOutcome } from '@tollgate/reports';
import { type Interval, impact } from '@tollgate/simulator';
import { type FieldMapping, nothingRead } from '@tollgate/traffic';
import { FILE_READER } from '@tollgate/traffic-node';
import { readMapping } from '../input/traffic-inputs.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { livePolicySource, liveTarget } from './live-policies.ts';
import type { Planning } from './make-plan.ts';
import type { PublishProject } from './project.ts';
import type { PolicyFile } from './targets.ts';

/** Returns the impact on recorded traffic of each target whose policy changes. */
export async function impactsOf(
  { plan: { targets }, files, project }: Planning,
  traffic: readonly string[],
  terminal: Terminal,
): Promise<ReadonlyMap<string, Impact>> {
  const impacts = new Map<string, Impact>();
  if (traffic.length === 0) return impacts;
  const mapping = await mappingOf(project, terminal);
  for (const planned of targets) {
    const file = files.get(planned.target.name);
    const impact = file && (await impactOf(planned, file, { project, traffic, mapping }));
    if (impact) impacts.set(planned.target.name, impact);
  }
  return impacts;
}

/** Returns the mapping of recorded traffic that the project names. Throws a {@link UsageError} for an invalid one, after its report. */
async function mappingOf({ publish, directory }: Planning['project'], terminal: Terminal): Promise<FieldMapping> {
  const name = publish.gates?.impact?.mapping;
  if (name === undefined) return {};
  const file = relative('.', resolve(directory, name));
  const mapping = await readMapping(file, terminal, { repositoryOf: directory });
  if (mapping === undefined) throw new UsageError(`the mapping \`${name}\` of the gate \`impact\` is invalid`);
  return mapping;
}

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
async function impactOf(
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
    { files: traffic, reader: FILE_READER, traffic: { mapping }, top: 0 },
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

/** Transitions that are shown. */
const MAX_SHOWN = 8;

/** Returns lines such as `  impact: 12 of 245 decisions change`, `    9 × passed → denied 403`. */
export function impactLines({ exchanges, changed, transitions }: Impact): readonly string[] {
  const head = `  impact: ${formatBounds(changed)} of ${formatCount(exchanges)} decisions change`;
  const shown = transitions
    .slice(0, MAX_SHOWN)
    .map(({ was, becomes, count }) => `    ${formatBounds(count)} × ${was} → ${becomes}`);
  const rest =
    transitions.length > MAX_SHOWN ? [`    and ${transitions.length - MAX_SHOWN} more kinds of changes`] : [];
  return [head, ...shown, ...rest];
}
