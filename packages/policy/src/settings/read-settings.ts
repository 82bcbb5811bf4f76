import {
  type ConfigField,
  EDGE_V2,
  type EndpointKind,
  type Extension,
  extendProfile,
  PROFILES,
  type Profile,
} from '@tollgate/catalog';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import type { TemplateKind } from '../carriers/placeholders/mask-template.ts';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { type DocumentNode, entryOf, plainValue } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { readDocuments } from '../document/read-document.ts';
import { createPhaseEnvironments } from '../expression/phase-environment.ts';
import { isNothing } from '../model/read-shape.ts';
import { EXTENSION_FIELDS } from './extension-shape.ts';
import { invariantFaults } from './invariant-faults.ts';
import type { WrittenInvariant } from './invariants.ts';
import { nameFaults } from './name-faults.ts';
import { PROJECT_FIELDS } from './project-shape.ts';
import type { PublishSettings } from './publish-settings.ts';
import { type Fault, givenMembers, shapeFaults } from './shape-faults.ts';
import { typeFaults } from './type-faults.ts';

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
  readonly carriers?: readonly ProjectCarrier[];
  /** Files with placeholders, and the language of these. */
  readonly templates?: readonly { readonly files: readonly string[]; readonly language: TemplateKind }[];
  /** What must hold for all traffic of some policies. */
  readonly invariants?: readonly ProjectInvariant[];
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
export interface ProjectCarrier {
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
): ParsedSettings<T> {
  const reporter = new Reporter(source.uri, maxDiagnostics(EDGE_V2));
  const { documents, comments } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
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
