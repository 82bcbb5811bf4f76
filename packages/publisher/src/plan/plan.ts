import { type Canonical, type CanonicalRule, phasesOf } from '../model/canonical.ts';
import { canonicalText, isSame } from '../model/json.ts';
import type { Keyed } from '../model/keyed.ts';
import type { ModuleName, RecordRef } from '../model/record.ts';
import { sealModule } from '../model/secrets.ts';
import { type Change, moduleChanges } from './difference.ts';
import type { LiveRecord, Located } from './live.ts';
import type { Target, WantedModule } from './target.ts';

/** What publishing would do to each target. */
export interface Plan {
  readonly targets: readonly PlannedTarget[];
}

/** A target with its live record. */
export interface PlannedTarget {
  readonly target: Target;
  readonly ref: RecordRef;
  readonly modules: readonly PlannedModule[];
  readonly isChanged: boolean;
}

/** A module as it is and as it is to become. */
export interface PlannedModule {
  readonly module: ModuleName;
  readonly live: Canonical;
  readonly wanted: Canonical;
  readonly source: WantedModule['source'];
  /** Empty if nothing is to be written. */
  readonly changes: readonly Change[];
  /** Live rules that would be removed although neither the file nor the last apply contains them. */
  readonly erased: readonly ErasedRule[];
}

/** A live rule that would vanish. */
export interface ErasedRule {
  readonly phase: string;
  readonly index: number;
  readonly name: string;
}

/** What the planner knows besides the target and its live record. */
export interface PlanContext {
  readonly keyed: Keyed;
  /** The module as it was last applied, sealed; undefined if it never was. */
  readonly lastApplied: (target: string, module: ModuleName) => Canonical | undefined;
}

/** Why a target cannot be planned. */
export interface PlanFault {
  readonly target: string;
  readonly message: string;
}

/** Plans one target. Returns its fault if there is not exactly one live record for it. */
export function planTarget(target: Target, located: Located, context: PlanContext): PlannedTarget | PlanFault {
  if ('fault' in located) return { target: target.name, message: located.fault };
  const { record } = located;
  const modules = target.modules.map(wanted => planModule(target, wanted, record, context));
  return { target, ref: record.ref, modules, isChanged: modules.some(({ changes }) => changes.length > 0) };
}

function planModule(
  target: Target,
  { module, value: wanted, source }: WantedModule,
  record: LiveRecord,
  { keyed, lastApplied }: PlanContext,
): PlannedModule {
  const live = record.modules[module];
  const changes = isSame(live, wanted) ? [] : moduleChanges(module, live, wanted);
  const erased =
    changes.length === 0 ? [] : erasedRules({ live, changes, last: lastApplied(target.name, module) }, keyed);
  return { module, live, wanted, source, changes, erased };
}

interface Erasure {
  readonly live: Canonical;
  readonly changes: readonly Change[];
  readonly last: Canonical | undefined;
}

/** A rule of the file is known by its name. One without a name is known only if it was applied. */
function erasedRules({ live, changes, last }: Erasure, keyed: Keyed): readonly ErasedRule[] {
  const known = new Set(
    Object.entries(phasesOf(last ?? null)).flatMap(([phase, rules]) =>
      rules.map(rule => `${phase} ${canonicalText(rule)}`),
    ),
  );
  const sealed = phasesOf(sealModule('policy', live, keyed));
  return changes.flatMap(change => {
    if (change.kind !== 'removed' && !(change.kind === 'changed' && change.name === '')) return [];
    const { phase, from } = change;
    const rule: CanonicalRule = sealed[phase]![from!]!;
    return known.has(`${phase} ${canonicalText(rule)}`) ? [] : [{ phase, index: from!, name: rule.name }];
  });
}
