import { type Impact, impactOf } from './impact.ts';
import type { Planning } from './make-plan.ts';

/** Returns the impact on recorded traffic of each target whose policy changes. */
export async function impactsOf(
  { plan: { targets }, files, project }: Planning,
  traffic: readonly string[],
): Promise<ReadonlyMap<string, Impact>> {
  const impacts = new Map<string, Impact>();
  if (traffic.length === 0) return impacts;
  for (const planned of targets) {
    const file = files.get(planned.target.name);
    const impact = file && (await impactOf(planned, file, { project, traffic }));
    if (impact) impacts.set(planned.target.name, impact);
  }
  return impacts;
}
