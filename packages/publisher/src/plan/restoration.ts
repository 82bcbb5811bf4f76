import { beforeIn, digestOf, type ModuleVersions, type RecordRun } from '../journal/record-state.ts';
import type { Canonical } from '../model/canonical.ts';
import type { Keyed } from '../model/keyed.ts';
import { MODULES } from '../model/record.ts';
import { sealModule, secretsIn, unsealModule } from '../model/secrets.ts';
import { moduleChanges } from './difference.ts';
import type { PlannedModule, PlannedTarget } from './plan.ts';
import { type RecordHistory, relationTo } from './standing.ts';

/** What restoring the modules of one target needs. */
export interface RestorationContext {
  readonly keyed: Keyed;
  /** Secrets from the sources of the project. */
  readonly secrets: readonly string[];
  /** Finds former policies where they are not kept at the edge. */
  readonly archive: FormerPolicies;
}

/** Policies that a target may have had before a run, from Git for example, or why there are none. */
export type FormerPolicies = (
  run: RecordRun,
) => Promise<{ readonly policies: AsyncIterable<Canonical>; readonly missing: () => string }>;

/** The way back for one target, or why there is none. */
export type Restoration = { readonly planned: PlannedTarget } | { readonly reason: string };

/** Plans the way back to what modules of a record held before a run. Refuses what has changed since, and what needs a secret that is not known. */
export async function planRestoration(
  run: RecordRun,
  { record }: Pick<RecordHistory, 'record'>,
  { keyed, secrets, archive }: RestorationContext,
): Promise<Restoration> {
  const planned: PlannedModule[] = [];
  for (const module of MODULES) {
    const versions = run.modules[module];
    if (!versions) continue;
    const found = relationTo(run, module, { record, keyed });
    if (found === 'before') continue;
    if (found === 'hidden')
      return { reason: 'it was applied with another history key; set `TOLLGATE_HISTORY_KEY` to that key' };
    if (found === 'foreign') return { reason: 'it has changed since the run' };
    const live = record.modules[module];
    const sealed = beforeIn(versions, sealModule(module, live, keyed));
    let wanted: Canonical | undefined;
    if (sealed === undefined) {
      const found = module === 'policy' ? await archived(run, versions, { keyed, archive }) : { missing: ELSEWHERE };
      if ('missing' in found)
        return { reason: `what it held before is too large to be kept at the edge${found.missing}` };
      wanted = found.policy;
    } else wanted = unsealModule(sealed, [...secrets, ...secretsIn(module, live)], keyed);
    if (wanted === undefined) return { reason: 'its former secret is not known; set it in its source and apply' };
    const changes = moduleChanges(module, live, wanted);
    planned.push({ module, live, wanted, source: undefined, changes, erased: [] });
  }
  const { ref, hostports, route } = record;
  // The live record, because the project file may place the target elsewhere by now.
  const address = { kind: ref.kind, edge: ref.edgeId ?? hostports[0] ?? ref.id, route };
  return {
    planned: {
      target: { name: run.target, address, modules: [], allowErase: true },
      ref,
      modules: planned,
      isChanged: planned.length > 0,
      erasure: undefined,
    },
  };
}

const ELSEWHERE = '; roll back where the run was made';

/** The digest at the edge says which of the policies it was, so that none is taken for it that only may be. */
async function archived(
  run: RecordRun,
  { before }: ModuleVersions,
  { keyed, archive }: Pick<RestorationContext, 'keyed' | 'archive'>,
): Promise<{ readonly policy: Canonical } | { readonly missing: string }> {
  const { policies, missing } = await archive(run);
  for await (const policy of policies)
    if (digestOf(sealModule('policy', policy, keyed)) === before.digest) return { policy };
  return { missing: `, and ${missing()}` };
}
