// Secrets in modules: sealed in plans and journals, masked in output.

import { type ConfigField, type ConfigType, PROFILES } from '@tollgate/catalog';
import { isObject, type Json, type JsonObject, type Keyed } from './json.ts';
import { type Canonical, type ModuleName, phasesOf } from './module.ts';

/** The key of an object that stands for a secret. Its value is a keyed hash. */
const SEALED = '$secret';

/** What is shown instead of a secret. */
const MASK = '(secret)';

/** Headers and other keys whose values are credentials, whatever the action. */
const SECRET_NAME = /(?:authorization|api[-_]?key|token|secret|password|cookie)$/i;

/** Configuration keys with secrets of each type of action, in any profile. */
const ACTION_FIELDS: ReadonlyMap<string, readonly ConfigField[]> = new Map(
  [
    ...Map.groupBy(
      PROFILES.flatMap(profile => profile.actions),
      fact => fact.type,
    ),
  ].map(([type, facts]) => [type, facts.flatMap(fact => fact.config)]),
);

/** Returns a module with its secrets replaced by keyed hashes. Only this form is written to files. */
export function sealModule(module: ModuleName, value: Canonical, { fingerprint }: Keyed): Canonical {
  return mapSecrets(module, value, secret => ({ [SEALED]: fingerprint(secret) }));
}

/** Returns a module whose secrets are shown as `(secret)`. */
export function maskModule(module: ModuleName, value: Canonical): Canonical {
  return mapSecrets(module, value, () => MASK);
}

/** Returns a sealed module whose secrets are shown as `(secret)`, whatever the key. */
export function maskSealed(value: Canonical): Canonical {
  const visit = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(visit);
    if (!isObject(part)) return part;
    if (SEALED in part) return MASK;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, visit(one)]));
  };
  return visit(value) as Canonical;
}

/** Returns the secrets in a module. */
export function secretsIn(module: ModuleName, value: Canonical): readonly string[] {
  const found: string[] = [];
  mapSecrets(module, value, secret => {
    found.push(secret);
    return secret;
  });
  return found;
}

/** Returns a sealed module with its secrets, or undefined if one is not among the known secrets. */
export function unsealModule(
  value: Canonical,
  known: readonly string[],
  { fingerprint }: Keyed,
): Canonical | undefined {
  const secrets = new Map(known.map(secret => [fingerprint(secret), secret]));
  let isComplete = true;
  const visit = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(visit);
    if (!isObject(part)) return part;
    const hash = part[SEALED];
    if (typeof hash !== 'string')
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, visit(one)]));
    isComplete &&= secrets.has(hash);
    return secrets.get(hash) ?? null;
  };
  const opened = visit(value);
  return isComplete ? (opened as Canonical) : undefined;
}

function mapSecrets(module: ModuleName, value: Canonical, change: (secret: string) => Json): Canonical {
  if (value === null) return null;
  if (module === 'webhook_verification') return { ...value, secret: changed(value.secret!, change) };
  if (module !== 'policy') return value;
  const rules = Object.entries(phasesOf(value)).map(([phase, list]) => [
    phase,
    list.map(rule => ({ ...rule, actions: rule.actions.map(action => changedAction(action, change)) })),
  ]);
  return { ...value, rules: Object.fromEntries(rules) };
}

function changedAction(action: Json, change: (secret: string) => Json): Json {
  if (!isObject(action) || !isObject(action.config)) return action;
  const fields = ACTION_FIELDS.get(String(action.type)) ?? [];
  return { ...action, config: changedFields(action.config, fields, change) };
}

function changedFields(
  config: JsonObject,
  fields: readonly ConfigField[],
  change: (secret: string) => Json,
): JsonObject {
  const entries = Object.entries(config).map(([key, value]): [string, Json] => {
    const known = fields.filter(({ name }) => name === key);
    if (SECRET_NAME.test(key) || known.some(({ role }) => role === 'secret')) return [key, changed(value, change)];
    return [key, known.reduce((part, { type }) => changedIn(part, type, change), value)];
  });
  return Object.fromEntries(entries);
}

function changedIn(value: Json, type: ConfigType, change: (secret: string) => Json): Json {
  if (type.kind === 'object') return isObject(value) ? changedFields(value, type.fields, change) : value;
  if (type.kind === 'map') return isObject(value) ? changedFields(value, [], change) : value;
  if (type.kind === 'list' && Array.isArray(value)) return value.map(one => changedIn(one, type.of, change));
  return value;
}

/** Changes all strings in a secret value, except references to a vault. */
function changed(value: Json, change: (secret: string) => Json): Json {
  if (typeof value === 'string') return value === '' || isReference(value) ? value : change(value);
  if (Array.isArray(value)) return value.map(one => changed(one, change));
  // Several profiles may describe the same key.
  if (!isObject(value) || SEALED in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one, change)]));
}

function isReference(value: string): boolean {
  return value.startsWith('${') && value.indexOf('}') === value.length - 1;
}
