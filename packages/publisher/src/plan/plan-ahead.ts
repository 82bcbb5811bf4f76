import { createLocator, type LiveRecord, type Located } from './live.ts';
import { type PlanContext, type PlanFault, type PlannedTarget, planTarget } from './plan.ts';
import type { Target } from './target.ts';

/** Plans targets from pages of records, while the next pages are on their way. */
export interface AheadPlanner {
  /** Takes the next page. */
  readonly addPage: (records: readonly LiveRecord[]) => void;
  /** Takes the targets, before, between or after the pages. */
  readonly setTargets: (targets: readonly Target[]) => void;
  /** Returns what {@link planTarget} does. What is not planned yet, or is contradicted by a later page, is planned now. */
  readonly plan: (target: Target, located: Located) => PlannedTarget | PlanFault;
}

/** Creates a planner that compares records as they arrive. */
export function createAheadPlanner(context: PlanContext): AheadPlanner {
  const pages: (readonly LiveRecord[])[] = [];
  /** By the names of their edges: most targets are on other pages. */
  const pending = new Map<string, Target[]>();
  const ahead = new Map<Target, { readonly record: LiveRecord; readonly planned: PlannedTarget | PlanFault }>();
  const planPage = (records: readonly LiveRecord[]) => {
    const locate = createLocator({ records });
    for (const target of targetsOn(records, pending)) {
      const located = locate(target.address);
      // A later page that contradicts it is found when the target is planned.
      if ('record' in located && !ahead.has(target))
        ahead.set(target, { record: located.record, planned: planTarget(target, located, context) });
    }
  };
  return {
    addPage: records => {
      if (pending.size > 0) planPage(records);
      else pages.push(records);
    },
    setTargets: targets => {
      for (const target of targets) {
        const name = target.address.edge.toLowerCase();
        const same = pending.get(name);
        if (same) same.push(target);
        else pending.set(name, [target]);
      }
      for (const page of pages.splice(0)) planPage(page);
    },
    plan: (target, located) => {
      const known = ahead.get(target);
      const isSure = known !== undefined && 'record' in located && located.record === known.record;
      return isSure ? known.planned : planTarget(target, located, context);
    },
  };
}

/** Returns the targets whose edges may be those of the records. */
function targetsOn(
  records: readonly LiveRecord[],
  pending: ReadonlyMap<string, readonly Target[]>,
): ReadonlySet<Target> {
  const found = new Set<Target>();
  for (const { ref, hostports } of records) {
    for (const name of [ref.edgeId ?? ref.id, ...hostports])
      for (const target of pending.get(name.toLowerCase()) ?? []) found.add(target);
  }
  return found;
}
