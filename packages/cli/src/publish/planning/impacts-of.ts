import { relative, resolve } from 'node:path';
import type { FieldMapping } from '@tollgate/traffic';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { readMapping } from '../../traffic/traffic-inputs.ts';
import { type Impact, impactOf } from './impact.ts';
import type { Planning } from './make-plan.ts';

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
