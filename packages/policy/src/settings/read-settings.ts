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
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { type DocumentNode, entryOf, plainValue } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { readText } from '../document/read-document.ts';
import { createPhaseEnvironments } from '../expression/phase-environment.ts';
import { isNothing } from '../model/read-shape.ts';
import { EXTENSION_FIELDS } from './extension-shape.ts';
import { nameFaults } from './name-faults.ts';
import { PROJECT_FIELDS } from './project-shape.ts';
import { type Fault, givenMembers, shapeFaults } from './shape-faults.ts';
import { typeFaults } from './type-faults.ts';

/** A file of settings: what it says, unless something is wrong with it. */
export interface SettingsReading<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The same, with the document that it was read from. */
export interface PlacedReading<T> extends SettingsReading<T> {
  /** Undefined where it could not be read; {@link rangeAt} finds places in it. */
  readonly root: DocumentNode | undefined;
  /** Where the comments stand, in order. */
  readonly comments: readonly Range[];
}

/** What a project file says. */
export interface Project extends Pick<Extension, 'openTypes' | 'switches' | 'limits'> {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** What some files are for instead; later ones win. */
  readonly overrides?: readonly ProjectOverride[];
  /** Extension files, relative to the project file. */
  readonly env?: readonly string[];
}

/** What the files of some patterns, relative to the project file, are for. */
export interface ProjectOverride extends Pick<Project, 'profile' | 'endpoint'> {
  readonly files: readonly string[];
}

/** Reads an extension in YAML or JSON. Types and bodies are checked as {@link extensionFaults} does. */
export function readExtension(source: SourceText): SettingsReading<Extension> {
  return readSettings(source, EXTENSION_FIELDS, meaningFaults);
}

/** Reads a project file. */
export function readProject(source: SourceText): SettingsReading<Project> {
  return readSettings(source, PROJECT_FIELDS, () => []);
}

/** What is wrong with an extension that a module exports, in one text each, with the path of keys before it. */
export function extensionFaults(value: unknown): readonly string[] {
  const faults = faultsIn(value, EXTENSION_FIELDS, meaningFaults);
  return faults.map(({ path, message }) => (path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`));
}

/** What is right in shape is asked for its meaning. */
function faultsIn<T>(
  value: unknown,
  fields: readonly ConfigField[],
  meaning: (value: T) => readonly Fault[],
): readonly Fault[] {
  const shape = shapeFaults(value, fields);
  return shape.length > 0 ? shape : meaning(givenMembers(value, fields) as T);
}

/**
 * Reads a file of settings in YAML or JSON that has these fields. What is wrong in shape is reported at its place, then what `meaning` finds;
 * with either there is no value. An empty document is an empty map.
 */
export function readSettings<T>(
  source: SourceText,
  fields: readonly ConfigField[],
  meaning: (value: T) => readonly Fault[],
): PlacedReading<T> {
  const reporter = new Reporter(source.uri, maxDiagnostics(EDGE_V2));
  const { documents, comments } = readText(source, { limits: documentLimits(EDGE_V2), reporter });
  const [root, second] = documents;
  if (second) reportSecond(second.range, reporter);
  if (!reporter.isEmpty) return { value: undefined, diagnostics: reporter.finish(), root: undefined, comments };
  const value = root === undefined || isNothing(root) ? {} : plainValue(root);
  for (const fault of faultsIn(value, fields, meaning)) {
    const range = root ? rangeAt(root, fault) : { start: 0, end: 0 };
    const { code = 'settings/invalid', message } = fault;
    reporter.report({ code, message, range, args: {} });
  }
  const diagnostics = reporter.finish();
  return {
    value: diagnostics.length > 0 ? undefined : (givenMembers(value, fields) as T),
    diagnostics,
    root,
    comments,
  };
}

function reportSecond(range: Range, reporter: Reporter): void {
  const message = 'settings are one document, and this is another one';
  reporter.report({ code: 'yaml/several-documents', message, range, args: {} });
}

/** Where a value stands, as far as there is one; its key where that is asked for. */
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

/** Each addition by itself, so that it is clear which is wrong. */
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

/** Whether an environment can be made with it, in some profile at least where its places exist. */
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
