import {
  type ConfigField,
  EDGE_V2,
  type EndpointKind,
  type Extension,
  extendProfile,
  PROFILES,
  type Profile,
} from '@tollgate/catalog';
import type { Diagnostic, Range, Severity, SourceText } from '@tollgate/diagnostics';
import {
  type DocumentLimits,
  type DocumentNode,
  documentLimits,
  entryOf,
  maxDiagnostics,
  plainValue,
  Reporter,
} from '../document/document-node.ts';
import { readDocuments } from '../document/read-document.ts';
import type { Quotes } from '../document/scalar-text.ts';
import type { TemplateKind } from '../embedded/placeholders.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { isNothing } from '../rules/read-shape.ts';
import { type Fault, givenMembers, shapeFaults, typeFaults } from './shape-faults.ts';
import { EXTENSION_FIELDS, PROJECT_FIELDS } from './shapes.ts';

/** The result of reading a settings file: a value, or diagnostics. */
export interface SettingsResult<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings with the document they were read from. */
export interface ParsedSettings<T> extends SettingsResult<T> {
  /** Undefined if it could not be read; see {@link rangeAt} for ranges in it. */
  readonly root: DocumentNode | undefined;
  /** The ranges of the comments, in order. */
  readonly comments: readonly Range[];
}

/** The contents of a project file. */
export interface Project extends Pick<Extension, 'openTypes' | 'switches' | 'limits'>, PublishSettings {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Overrides for some files; later ones win. */
  readonly overrides?: readonly ProjectOverride[];
  /** Where policies are in other files. */
  readonly embedded?: readonly EmbeddedLocation[];
  /** Files with placeholders, and the language of these. */
  readonly templates?: readonly { readonly files: readonly string[]; readonly language: TemplateKind }[];
  /** The quotes that `tollgate fmt` prefers. */
  readonly quotes?: Quotes;
  /** What must hold for all traffic of some policies. */
  readonly invariants?: readonly ProjectInvariant[];
  /** Percentages that test coverage must reach. */
  readonly coverage?: {
    readonly failUnder?: number;
    readonly overrides?: readonly { readonly files: readonly string[]; readonly failUnder: number }[];
  };
  /** What serves the requests. */
  readonly upstreams?: readonly string[];
  /** Extension files, relative to the project file. */
  readonly env?: readonly string[];
}

/** Profile and endpoint kind of some files, by patterns relative to the project file. */
export interface ProjectOverride extends Pick<Project, 'profile' | 'endpoint'> {
  readonly files: readonly string[];
}

/** An invariant of all policies whose files match a pattern. */
export interface ProjectInvariant extends WrittenInvariant {
  readonly files: readonly string[];
}

/** Where policies are in some files, by patterns relative to the project file. */
export interface EmbeddedLocation {
  readonly files?: readonly string[];
  /** Kind of the Kubernetes resources. */
  readonly kind?: string;
  /** Such as `/spec/policy`; `*` stands for any key or index. */
  readonly path: string;
}

/** Reads an extension in YAML or JSON. Checks types and bodies like {@link extensionFaults}. */
export function readExtension(source: SourceText): SettingsResult<Extension> {
  return readSettings(source, EXTENSION_FIELDS, meaningFaults);
}

/** Reads a project file. */
export function readProject(source: SourceText): ParsedSettings<Project> {
  return readSettings(source, PROJECT_FIELDS, ({ invariants = [] }: Project) =>
    invariantFaults(invariants, ['invariants']),
  );
}

/** Returns the errors of an extension that a module exports, as messages that begin with the path of keys. */
export function extensionFaults(value: unknown): readonly string[] {
  const shape = shapeFaults(value, EXTENSION_FIELDS);
  const faults = shape.length > 0 ? shape : meaningFaults(givenMembers(value, EXTENSION_FIELDS) as Extension);
  return faults.map(({ path, message }) => (path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`));
}

/**
 * Reads a settings file in YAML or JSON with these fields. Reports errors of its shape, then those that `meaning` finds;
 * with either, returns no value. An empty document is an empty map.
 */
export function readSettings<T>(
  source: SourceText,
  fields: readonly ConfigField[],
  meaning: (value: T) => readonly Fault[] = () => [],
  limits: DocumentLimits = documentLimits(EDGE_V2),
): ParsedSettings<T> {
  const reporter = new Reporter(source.uri, maxDiagnostics(EDGE_V2));
  const { documents, comments } = readDocuments(source, { limits, reporter });
  const [root, second] = documents;
  if (second) reportSecond(second.range, reporter);
  if (!reporter.isEmpty) return { value: undefined, diagnostics: reporter.finish(), root: undefined, comments };
  const value = root === undefined || isNothing(root) ? {} : plainValue(root);
  const given = givenMembers(value, fields) as T;
  const shape = shapeFaults(value, fields);
  for (const fault of shape.length > 0 ? shape : meaning(given)) {
    const range = root ? rangeAt(root, fault) : { start: 0, end: 0 };
    const { code = 'settings/invalid', message } = fault;
    reporter.report({ code, message, range, args: {} });
  }
  const diagnostics = reporter.finish();
  return {
    value: diagnostics.length > 0 ? undefined : given,
    diagnostics,
    root,
    comments,
  };
}

function reportSecond(range: Range, reporter: Reporter): void {
  const message = 'second document in a settings file; remove it';
  reporter.report({ code: 'yaml/several-documents', message, range, args: {} });
}

/** Returns the range of the value at a path, or of its key, or of the nearest ancestor that exists. */
export function rangeAt(root: DocumentNode, { path, ofKey }: Pick<Fault, 'path' | 'ofKey'>): Range {
  let node = root;
  let { range } = root;
  for (const step of path) {
    const entry = node.kind === 'map' ? entryOf(node, String(step)) : undefined;
    const next = node.kind === 'list' ? node.items[Number(step)] : entry?.value;
    if (!next) break;
    node = next;
    range = ofKey && entry ? entry.keyRange : node.range;
  }
  return range;
}

/** Tries each declaration separately, to tell which one is wrong. */
function meaningFaults(extension: Extension): readonly Fault[] {
  const names = nameFaults(extension);
  if (names.length > 0) return names;
  const types = typeFaults(extension);
  return [...unknownRemovals(extension), ...(types.length > 0 ? types : wrongTypes(extension))];
}

function unknownRemovals({ remove = {} }: Extension): readonly Fault[] {
  const isKnown = {
    variables: (name: string) =>
      PROFILES.some(one => one.variables.some(({ path }) => `${path}.`.startsWith(`${name}.`))),
    functions: (name: string) => PROFILES.some(one => one.functions.some(fact => fact.name === name)),
    actions: (name: string) => PROFILES.some(one => one.actions.some(fact => fact.type === name)),
  };
  return (['variables', 'functions', 'actions'] as const).flatMap(kind =>
    (remove[kind] ?? []).flatMap((name, index) =>
      isKnown[kind](name)
        ? []
        : [{ code: 'settings/unknown-name', path: ['remove', kind, index], message: `no profile has \`${name}\`` }],
    ),
  );
}

function wrongTypes(extension: Extension): readonly Fault[] {
  const base: Extension = { objects: extension.objects ?? [], variables: extension.variables ?? [] };
  const variables = tryOut(base, 'variables');
  if (variables.length > 0) return variables;
  return (extension.functions ?? []).flatMap((fact, index) =>
    tryOut({ ...base, functions: [fact] }, `functions.${index}`).slice(0, 1),
  );
}

/** Returns no faults if some profile with its phases and endpoint kinds can create an environment with it. */
function tryOut(extension: Extension, path: string): readonly Fault[] {
  const failures = PROFILES.map(profile => failureOf(profile, extension));
  const [first] = failures;
  if (first === undefined || failures.includes(undefined)) return [];
  const steps = path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part));
  return [{ code: 'settings/bad-declaration', path: steps, message: first }];
}

function failureOf(profile: Profile, extension: Extension): string | undefined {
  try {
    for (const endpoint of profile.endpoints) createPhaseEnvironments(extendProfile(profile, extension), endpoint);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Properties of every JavaScript object or class. A value with such a name could change other objects. */
const INHERITED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Returns the names in an extension, including the parts of dotted ones, that are unsafe as JavaScript properties. */
function nameFaults(extension: Extension): readonly Fault[] {
  return declaredNames(extension).flatMap(({ name, path }): readonly Fault[] => {
    const inherited = name.split('.').find(part => INHERITED.has(part));
    if (inherited === undefined) return [];
    const message = `\`${inherited}\` is a property of every JavaScript object; choose another name`;
    return [{ code: 'settings/bad-declaration', path, message }];
  });
}

interface DeclaredName {
  readonly name: string;
  readonly path: Fault['path'];
}

function declaredNames({
  variables = [],
  objects = [],
  functions = [],
  actions = [],
}: Extension): readonly DeclaredName[] {
  return [
    ...variables.map(({ path }, index) => ({ name: path, path: ['variables', index, 'path'] })),
    ...objects.flatMap(({ name, fields = [] }, index) => [
      { name, path: ['objects', index, 'name'] },
      ...fields.map((field, at) => ({ name: field.name, path: ['objects', index, 'fields', at, 'name'] })),
    ]),
    ...functions.flatMap(({ name, params }, index) => [
      { name, path: ['functions', index, 'name'] },
      ...params.map((param, at) => ({ name: param.name, path: ['functions', index, 'params', at, 'name'] })),
    ]),
    ...actions.flatMap(({ type, config = [] }, index) => [
      { name: type, path: ['actions', index, 'type'] },
      ...config.map((field, at) => ({ name: field.name, path: ['actions', index, 'config', at, 'name'] })),
    ]),
  ];
}

/** A file of invariants, as written. */
export interface Invariants {
  /** Relative to the file; followed by `#` and a path if the policy is a part of a file. */
  readonly policy: string;
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Overrides what the policy says. */
  readonly enabled?: boolean;
  readonly invariants: readonly WrittenInvariant[];
}

/** What must hold for all traffic, as written: exactly one claim. */
export interface WrittenInvariant {
  readonly name: string;
  readonly never?: string;
  readonly always?: string;
  readonly when?: string;
  readonly implies?: string;
  /** A rule, by name, or by phase and number. */
  readonly unreachable?: string;
  /** A rule, as above. */
  readonly never_fails?: string;
}

/** The keys of claims. */
export const CLAIMS = ['never', 'always', 'implies', 'unreachable', 'never_fails'] as const;

/** Returns what is wrong with invariants beside their shape: names that are used twice, and claims that are missing or too many. */
export function invariantFaults(invariants: readonly WrittenInvariant[], at: Fault['path']): readonly Fault[] {
  const seen = new Set<string>();
  return invariants.flatMap((invariant, index) => {
    const path = [...at, index];
    const isRepeated = seen.size === seen.add(invariant.name).size;
    const repeated = isRepeated
      ? [fault([...path, 'name'], `duplicate name \`${invariant.name}\`; invariants are reported by name`)]
      : [];
    return [...repeated, ...claimFaults(invariant, path)];
  });
}

function claimFaults(invariant: WrittenInvariant, path: Fault['path']): readonly Fault[] {
  const claims = CLAIMS.filter(key => invariant[key] !== undefined);
  if ((invariant.when === undefined) !== (invariant.implies === undefined)) {
    const [there, missing] = invariant.when === undefined ? ['implies', 'when'] : ['when', 'implies'];
    return [{ ...fault([...path, there!], `\`${there}\` without \`${missing}\`; add \`${missing}\``), ofKey: true }];
  }
  if (claims.length === 1) return [];
  const keys = CLAIMS.map(key => `\`${key}\``).join(', ');
  if (claims.length === 0) return [fault(path, `an invariant without a claim; add one of ${keys}`)];
  const found = claims.map(key => `\`${key}\``).join(' and ');
  return [{ ...fault([...path, claims[1]!], `several claims, ${found}; make each an invariant`), ofKey: true }];
}

function fault(path: Fault['path'], message: string): Fault {
  return { code: 'prove/invalid', path, message };
}

/** What a project file says about publishing. */
export interface PublishSettings {
  readonly environments?: Readonly<Record<string, EnvironmentSettings>>;
  readonly targets?: Readonly<Record<string, TargetSettings>>;
  readonly gates?: GateSettings;
  readonly history?: { readonly path?: string };
}

/** Where a secret comes from; exactly one of them. */
export interface SecretSource {
  readonly env?: string;
  readonly file?: string;
  /** A program and its arguments. */
  readonly command?: readonly string[];
}

/** An Edge Configuration API. */
export interface EnvironmentSettings {
  readonly url: string;
  readonly apiKey: SecretSource;
  readonly versionHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly concurrency?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly requestsPerMinute?: number;
}

/** A place, and the modules that are published to it. */
export interface AddressSettings {
  readonly policy?: string;
  readonly route?: RouteSettings;
  readonly tlsEdge?: string;
  readonly tcpEdge?: string;
  readonly webhookVerification?: {
    readonly provider: string;
    readonly secret?: SecretSource;
    readonly enabled?: boolean;
  };
  readonly ipRestriction?: { readonly ipPolicies: readonly string[]; readonly enabled?: boolean };
  readonly allowErase?: boolean;
}

/** An HTTPS route, by id or by what it matches. */
export interface RouteSettings {
  /** The id of the edge, or one of its hostports. */
  readonly edge: string;
  readonly id?: string;
  readonly match?: string;
  readonly matchType?: 'exact_path' | 'path_prefix';
}

/** A target with its overrides by environment. */
export interface TargetSettings extends AddressSettings {
  readonly acceptedDrift?: { readonly reason: string; readonly until: string };
  readonly environments?: Readonly<Record<string, AddressSettings>>;
}

/** What must hold before anything is written. */
export interface GateSettings {
  readonly lint?: Severity | 'off';
  readonly tests?: readonly string[];
  readonly impact?: { readonly traffic: readonly string[]; readonly maxChanged: number; readonly mapping?: string };
}
