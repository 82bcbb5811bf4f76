// Plans in files: what they store, and when they are stale.

import { isObject, type Json, type JsonObject, type Keyed } from './json.ts';
import type { PlannedTarget } from './plan.ts';

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
