import { type Canonical, type CanonicalRule, phasesOf } from '../model/canonical.ts';
import { canonicalText, isSame } from '../model/json.ts';
import type { ModuleName, RecordRef } from '../model/record.ts';
import { maskModule, maskSealed } from '../model/secrets.ts';
import { type Change, moduleChanges } from './difference.ts';
import type { LiveRecord, Located } from './live.ts';
import type { LastApplied } from './standing.ts';
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
  /** Why writing the target needs consent; undefined if it does not. */
  readonly erasure: Erasure | undefined;
}

/** What writing a target would remove. */
export interface Erasure {
  /** Live rules that neither the file nor the last apply contains. */
  readonly unknown: readonly ErasedRule[];
  /** How many of the live rules are removed, if they are more than a third; undefined otherwise. */
  readonly many: { readonly removed: number; readonly of: number } | undefined;
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
  /** The module as it was last applied; undefined if it never was. */
  readonly lastApplied: (record: LiveRecord, module: ModuleName) => LastApplied | undefined;
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
  const modules = target.modules.map(wanted => planModule(wanted, record, context));
  const isChanged = modules.some(({ changes }) => changes.length > 0);
  return { target, ref: record.ref, modules, isChanged, erasure: erasureOf(modules) };
}

function planModule(
  { module, value: wanted, source }: WantedModule,
  record: LiveRecord,
  { lastApplied }: PlanContext,
): PlannedModule {
  const live = record.modules[module];
  const changes = isSame(live, wanted) ? [] : moduleChanges(module, live, wanted);
  const last = changes.length === 0 ? undefined : lastApplied(record, module);
  const erased = changes.length === 0 || last?.isLive ? [] : erasedRules({ live, changes, last: last?.sealed });
  return { module, live, wanted, source, changes, erased };
}

interface Erasing {
  readonly live: Canonical;
  readonly changes: readonly Change[];
  /** Sealed with any key. */
  readonly last: Canonical | undefined;
}

/** A rule of the file is known by its name or its contents, and one that was applied by both. Secrets do not count: they change apart. */
function erasedRules({ live, changes, last }: Erasing): readonly ErasedRule[] {
  const known = new Set(
    Object.entries(phasesOf(maskSealed(last ?? null))).flatMap(([phase, rules]) =>
      rules.map(rule => `${phase} ${canonicalText(rule)}`),
    ),
  );
  const masked = phasesOf(maskModule('policy', live));
  return changes.flatMap(change => {
    if (change.kind !== 'removed' && !(change.kind === 'changed' && change.name === '')) return [];
    const { phase, from } = change;
    const rule: CanonicalRule = masked[phase]![from!]!;
    return known.has(`${phase} ${canonicalText(rule)}`) ? [] : [{ phase, index: from!, name: rule.name }];
  });
}

/** More than this part of the live rules is not removed without consent. */
const MOST_REMOVED = 1 / 3;

function erasureOf(modules: readonly PlannedModule[]): Erasure | undefined {
  const unknown = modules.flatMap(({ erased }) => erased);
  const policy = modules.find(({ module }) => module === 'policy');
  const removed = policy?.changes.filter(({ kind }) => kind === 'removed').length ?? 0;
  const of = Object.values(phasesOf(policy?.live ?? null)).flat().length;
  const many = removed > of * MOST_REMOVED ? { removed, of } : undefined;
  return unknown.length > 0 || many ? { unknown, many } : undefined;
}
