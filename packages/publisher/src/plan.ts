// What publishing would do: from the present state, ahead of a run, and back to a former state.

import { moduleChanges, type PolicyChange } from './difference.ts';
import { canonicalText, isObject, isSame, type Json, type JsonObject, type Keyed } from './json.ts';
import { createLocator, type LiveRecord, type Located, type Target, type WantedModule } from './live.ts';
import { type Canonical, type CanonicalRule, MODULES, type ModuleName, phasesOf, type RecordRef } from './module.ts';
import { beforeIn, digestOf, type ModuleVersions, type RecordRun } from './record-state.ts';
import { maskModule, maskSealed, sealModule, secretsIn, unsealModule } from './secrets.ts';
import { type LastApplied, type RecordHistory, relationTo } from './standing.ts';

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
  readonly changes: readonly PolicyChange[];
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
  readonly changes: readonly PolicyChange[];
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
const MAX_REMOVED = 1 / 3;

function erasureOf(modules: readonly PlannedModule[]): Erasure | undefined {
  const unknown = modules.flatMap(({ erased }) => erased);
  const policy = modules.find(({ module }) => module === 'policy');
  const removed = policy?.changes.filter(({ kind }) => kind === 'removed').length ?? 0;
  const of = Object.values(phasesOf(policy?.live ?? null)).flat().length;
  const many = removed > of * MAX_REMOVED ? { removed, of } : undefined;
  return unknown.length > 0 || many ? { unknown, many } : undefined;
}

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
  const address = { kind: ref.kind, edge: hostports[0] ?? ref.edgeId ?? ref.id, route };
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

// Plans in files: what they store, and when they are stale.

/** A plan as it is stored. It contains keyed hashes of modules and sources, and none of their contents. */
export interface StoredPlan extends JsonObject {
  readonly version: 1;
  readonly id: string;
  readonly environment: string;
  readonly url: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly commit: string | null;
  readonly keyId: string;
  readonly allowErase: boolean;
  readonly targets: readonly StoredTarget[];
}

/** A target of a stored plan. */
export interface StoredTarget extends JsonObject {
  readonly name: string;
  readonly record: JsonObject;
  readonly modules: readonly StoredModule[];
}

/** A module of a stored plan. */
interface StoredModule extends JsonObject {
  readonly module: string;
  /** Keyed hash of the live module. */
  readonly live: string;
  /** Keyed hash of the module to be written. */
  readonly wanted: string;
  /** Keyed hash of the text of the source file; null if the project file describes the module. */
  readonly source: string | null;
  readonly changes: number;
}

/** Returns a stored plan as text. Its seal shows whether it was edited. */
export function planText(plan: StoredPlan, { fingerprint }: Keyed): string {
  return `${JSON.stringify({ ...plan, seal: fingerprint(plan) }, undefined, 2)}\n`;
}

/** Returns a target in the form in which plans store it. */
export function storedTarget({ target, ref, modules }: PlannedTarget, { fingerprint }: Keyed): StoredTarget {
  return {
    name: target.name,
    record: { kind: ref.kind, id: ref.id, ...(ref.edgeId !== undefined && { edgeId: ref.edgeId }) },
    modules: modules.map(one => ({
      module: one.module,
      live: fingerprint(one.live),
      wanted: fingerprint(one.wanted),
      source: one.source === undefined ? null : fingerprint(one.source.text),
      changes: one.changes.length,
    })),
  };
}

/** Reads a stored plan. Returns what is wrong with it as a message that follows its name. */
export function readPlan(text: string, { keyId, fingerprint }: Keyed): StoredPlan | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'is not a plan: invalid JSON; create it with `tollgate plan --out`' };
  }
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.targets) || typeof value.seal !== 'string') {
    return { fault: 'is not a plan; create it with `tollgate plan --out`' };
  }
  if (value.keyId !== keyId) {
    return {
      fault: 'was made with another history key; set `TOLLGATE_HISTORY_KEY` to the same value as for `tollgate plan`',
    };
  }
  const { seal, ...plan }: { readonly [key: string]: Json; readonly seal: Json } = { ...value, seal: value.seal };
  if (seal !== fingerprint(plan))
    return { fault: 'was edited after it was made; create it again with `tollgate plan --out`' };
  return plan as Json as StoredPlan;
}

/** Returns what has changed since a plan was stored, for one target; undefined if nothing has. */
export function staleness(planned: PlannedTarget, stored: StoredTarget, keyed: Keyed): string | undefined {
  const now = storedTarget(planned, keyed);
  if (now.record.id !== stored.record.id) return 'it is another record than in the plan';
  for (const [index, module] of now.modules.entries()) {
    const then = stored.modules[index];
    if (then?.module !== module.module) return 'its modules in the project file have changed since the plan';
    if (then.source !== module.source || then.wanted !== module.wanted) return 'its source has changed since the plan';
    if (then.live !== module.live) return 'its live configuration has changed since the plan';
  }
  return now.modules.length === stored.modules.length ? undefined : 'its modules have changed since the plan';
}
