import { type EndpointKind, type Extension, extendProfile, PROFILES, type Profile } from '@tollgate/catalog';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import { parseDocument } from 'yaml';
import { createPhaseEnvironments } from '../expression/place-environment.ts';
import { EXTENSION_FIELDS, PROJECT_FIELDS } from './extension-shape.ts';
import { type Fault, shapeFaults } from './shape-faults.ts';

/** A file of settings: what it says, unless something is wrong with it. */
export interface SettingsReading<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a project file says. */
export interface Project extends Pick<Extension, 'openTypes' | 'switches'> {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Extension files, relative to the project file. */
  readonly env?: readonly string[];
}

/** Reads an extension in YAML or JSON. Types and bodies are checked by {@link extensionFaults}. */
export function readExtension(source: SourceText): SettingsReading<Extension> {
  return readSettings(source, value => [...shapeFaults(value, EXTENSION_FIELDS), ...meaningFaults(value as Extension)]);
}

/** Reads a project file. */
export function readProject(source: SourceText): SettingsReading<Project> {
  return readSettings(source, value => shapeFaults(value, PROJECT_FIELDS));
}

/** What is wrong with an extension that a module exports, in one text each, with the path of keys before it. */
export function extensionFaults(value: unknown): readonly string[] {
  const shape = shapeFaults(value, EXTENSION_FIELDS);
  const faults = shape.length > 0 ? shape : meaningFaults(value as Extension);
  return faults.map(({ path, message }) => (path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`));
}

/**
 * Reads a file of settings in YAML or JSON. What `check` finds wrong is reported at its path, and then there is no value; a document
 * that is empty is an empty map.
 */
export function readSettings<T>(source: SourceText, check: (value: unknown) => readonly Fault[]): SettingsReading<T> {
  const document = parseDocument(source.text, { prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) {
    const [start, end] = wrong.pos;
    return { value: undefined, diagnostics: [diagnosticOf(source, { start, end }, wrong.message)] };
  }
  const value = (document.toJS({ maxAliasCount: 100 }) ?? {}) as unknown;
  const rangeOf = (path: Fault['path']): Range => {
    const node = document.getIn(path, true) as { range?: readonly number[] } | undefined;
    const [start = 0, end = start] = node?.range ?? [];
    return { start, end: Math.max(start, end) };
  };
  const diagnostics = check(value).map(({ path, message }) => diagnosticOf(source, rangeOf(path), message));
  return { value: diagnostics.length > 0 ? undefined : (value as T), diagnostics };
}

function diagnosticOf({ uri }: SourceText, range: Range, message: string): Diagnostic {
  return { code: 'settings/invalid', severity: 'error', message, uri, range, args: {} };
}

/** Each addition by itself, so that it is clear which is wrong. */
function meaningFaults(extension: Extension): readonly Fault[] {
  if (shapeFaults(extension, EXTENSION_FIELDS).length > 0) return [];
  return [...unknownRemovals(extension), ...wrongTypes(extension)];
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
      isKnown[kind](name) ? [] : [{ path: ['remove', kind, index], message: `no profile has \`${name}\`` }],
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
  return [{ path: path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part)), message: first }];
}

function failureOf(profile: Profile, extension: Extension): string | undefined {
  try {
    for (const endpoint of profile.endpoints) createPhaseEnvironments(extendProfile(profile, extension), endpoint);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
