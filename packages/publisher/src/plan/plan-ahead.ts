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
  const pending = new Set<Target>();
  const ahead = new Map<Target, { readonly record: LiveRecord; readonly planned: PlannedTarget | PlanFault }>();
  const planPage = (records: readonly LiveRecord[]) => {
    const locate = createLocator({ records });
    for (const target of pending) {
      const located = locate(target.address);
      if ('fault' in located) continue;
      ahead.set(target, { record: located.record, planned: planTarget(target, located, context) });
      pending.delete(target);
    }
  };
  return {
    addPage: records => {
      if (pending.size > 0) planPage(records);
      else pages.push(records);
    },
    setTargets: targets => {
      for (const target of targets) pending.add(target);
      for (const page of pages.splice(0)) planPage(page);
    },
    plan: (target, located) => {
      const known = ahead.get(target);
      const isSure = known !== undefined && 'record' in located && located.record === known.record;
      return isSure ? known.planned : planTarget(target, located, context);
    },
  };
}
