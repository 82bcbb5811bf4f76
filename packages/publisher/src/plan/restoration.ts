import type { RunModule } from '../journal/history.ts';
import type { Keyed } from '../model/keyed.ts';
import { secretsIn, unsealModule } from '../model/secrets.ts';
import { moduleChanges } from './difference.ts';
import type { LiveRecord } from './live.ts';
import type { PlannedModule, PlannedTarget } from './plan.ts';

/** What restoring the modules of one target needs. */
export interface RestorationContext {
  readonly keyed: Keyed;
  /** Secrets from the sources of the project. */
  readonly secrets: readonly string[];
}

/** The way back for one target, or why there is none. */
export type Restoration = { readonly planned: PlannedTarget } | { readonly reason: string };

/** Plans the way back to what modules of a target held before a run. Refuses what has changed since, and what needs a secret that is not known. */
export function planRestoration(
  target: string,
  modules: readonly RunModule[],
  { record, keyed, secrets }: RestorationContext & { readonly record: LiveRecord },
): Restoration {
  const planned: PlannedModule[] = [];
  for (const { intent } of modules) {
    const { module, afterFingerprint, beforeFingerprint, before } = intent;
    const live = record.modules[module];
    const liveFingerprint = keyed.fingerprint(live);
    if (liveFingerprint === beforeFingerprint) continue;
    if (liveFingerprint !== afterFingerprint) return { reason: 'it has changed since the run' };
    const wanted = unsealModule(before, [...secrets, ...secretsIn(module, live)], keyed);
    if (wanted === undefined) return { reason: 'its former secret is not known; set it in its source and apply' };
    const changes = moduleChanges(module, live, wanted);
    planned.push({ module, live, wanted, source: undefined, changes, erased: [] });
  }
  const { ref, hostports, route } = record;
  // The live record, because the project file may place the target elsewhere by now.
  const address = { kind: ref.kind, edge: ref.edgeId ?? hostports[0] ?? ref.id, route };
  return {
    planned: {
      target: { name: target, address, modules: [], allowErase: true },
      ref,
      modules: planned,
      isChanged: planned.length > 0,
    },
  };
}
