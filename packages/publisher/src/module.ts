// The records and modules that can be published, the canonical form that says what a module means, and the form that is
// sent.

import { SourceText } from '@tollgate/diagnostics';
import { detectProfile, parseDocuments, plainValue } from '@tollgate/policy';
import { isObject, type Json, type JsonObject } from './json.ts';

/** What can have a policy. */
export const RECORD_KINDS = ['https-route', 'tls-edge', 'tcp-edge'] as const;

/** One of {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A record of the API that contains modules. All its modules share one entity tag. */
export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
  /** The edge of a route. */
  readonly edgeId?: string;
}

/** The modules that can be published. */
export const MODULES = ['policy', 'webhook_verification', 'ip_restriction'] as const;

/** One of {@link MODULES}. */
export type ModuleName = (typeof MODULES)[number];

/** A module in messages. */
export const MODULE_NOUNS: Readonly<Record<ModuleName, string>> = {
  policy: 'policy',
  webhook_verification: 'webhook verification',
  ip_restriction: 'IP restriction',
};

/** Returns a key that no other record has. */
export function recordKey({ kind, id, edgeId = '' }: RecordRef): string {
  return `${kind} ${edgeId} ${id}`;
}

/** The canonical form of a module; null if it is not configured. Two modules mean the same if their canonical forms are equal. */
export type Canonical = JsonObject | null;

/** A rule in canonical form. */
export interface CanonicalRule extends JsonObject {
  readonly name: string;
  readonly expressions: readonly Json[];
  readonly actions: readonly Json[];
}

/** Returns the canonical form of a module as a server returns it, as a client sends it, or as a file contains it. */
export function canonicalModule(module: ModuleName, value: unknown): Canonical {
  if (!isObject(value)) return null;
  if (module === 'policy') return canonicalPolicy(value);
  const enabled = value.enabled !== false;
  if (module === 'webhook_verification') {
    return { enabled, provider: String(value.provider).toLowerCase(), secret: value.secret ?? '' };
  }
  return { enabled, ip_policy_ids: [...new Set(policyIds(value))].sort() };
}

/** Requests contain ids, responses references. */
function policyIds({ ip_policy_ids: ids, ip_policies: references }: JsonObject): readonly string[] {
  if (Array.isArray(ids)) return ids.map(String);
  return Array.isArray(references) ? references.map((one: Json) => String(isObject(one) ? one.id : one)) : [];
}

/** Returns the rules of each phase of a canonical policy. Phases without rules are absent. */
export function phasesOf(policy: Canonical): Readonly<Record<string, readonly CanonicalRule[]>> {
  return isObject(policy?.rules) ? (policy.rules as Readonly<Record<string, readonly CanonicalRule[]>>) : {};
}

/** A policy may be an object, or a string in `value`. */
function canonicalPolicy(given: JsonObject): JsonObject {
  const isText = typeof given.value === 'string';
  const policy = isText ? parsedPolicy(String(given.value)) : given;
  const phases = Object.entries(policy).flatMap(([phase, rules]) =>
    phase !== 'enabled' && Array.isArray(rules) && rules.length > 0 ? [[phase, rules.map(canonicalRule)] as const] : [],
  );
  const enabled = given.enabled !== false && policy.enabled !== false;
  return { enabled, rules: Object.fromEntries(phases) };
}

function parsedPolicy(text: string): JsonObject {
  const [root] = parseDocuments(new SourceText('policy.yaml', text));
  const value: unknown = root === undefined ? {} : plainValue(root);
  return isObject(value) ? value : {};
}

function canonicalRule(rule: Json): CanonicalRule {
  const { name, expressions, actions } = isObject(rule) ? rule : {};
  return {
    name: typeof name === 'string' ? name : '',
    expressions: Array.isArray(expressions) ? expressions : [],
    actions: Array.isArray(actions) ? actions.map(canonicalAction) : [],
  };
}

function canonicalAction(action: Json): Json {
  const { type = null, config = null } = isObject(action) ? action : {};
  return { type, config: isObject(config) && Object.keys(config).length === 0 ? null : config };
}

/** How a module is sent: `traffic_policy` takes policies of any profile as a string, `policy` those of `edge-v2` as an object. */
interface WireModule {
  readonly field: ModuleName | 'traffic_policy';
  readonly body: JsonObject;
}

/** Returns the body that replaces a module. */
export function wireModule(module: ModuleName, value: NonNullable<Canonical>): WireModule {
  if (module !== 'policy') return { field: module, body: value };
  const phases = phasesOf(value);
  const { enabled = true } = value;
  const text = JSON.stringify(phases);
  if (detectProfile(text).profile.name !== 'edge-v2') {
    return { field: 'traffic_policy', body: { enabled, value: text } };
  }
  return { field: 'policy', body: { enabled, inbound: phases.inbound ?? null, outbound: phases.outbound ?? null } };
}
