// Policies that are ready to run: one that an argument names, or that a file of tests or invariants is about.

import { dirname, isAbsolute, join } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type PreparedPolicy, preparePolicy } from '@tollgate/core/documents';
import {
  createTargeting,
  explainDetection,
  type Settings,
  settingsSaying,
  type Target,
  type Targeting,
  targetOfEmbedded,
} from '@tollgate/core/targeting';
import { ExternalError, jsonReport, type Report, type SourceText, textReport } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  findingsInFile,
  type PartPath,
  type PhaseEnvironments,
  type Policy,
  type PolicyTests,
  type ReadTestFile,
  readTestFile,
  type TemplateKind,
} from '@tollgate/policy';
import { singlePolicy, splitFilePart } from '../input/document-parts.ts';
import { type LoadedSettings, loadSettings } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';

/** The profile, endpoint and extensions that the command line sets. */
export interface PolicySettings {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Paths of extension files. */
  readonly env?: readonly string[];
  /** Language of the placeholders. */
  readonly templates?: TemplateKind;
}

/** A policy without errors; its report contains warnings at most. */
export interface LoadedPolicy {
  /** The document that contains the policy; its file is that of `embedded`. */
  readonly source: SourceText;
  readonly embedded: EmbeddedPolicy;
  readonly policy: Policy;
  readonly target: Target;
  readonly environments: PhaseEnvironments;
  readonly report: Report;
}

/** The report on a policy that cannot be run. */
export interface Refusal {
  readonly refused: Report;
}

/**
 * Loads a policy to run: `-` for standard input, `FILE#/spec/policy` for a part of a file. Throws an {@link ExternalError} if it cannot be
 * read.
 */
export async function loadPolicy(
  argument: string,
  settings: PolicySettings,
  terminal: Terminal,
): Promise<LoadedPolicy | Refusal> {
  const { name, part } = splitFilePart(argument);
  const file = await readSource(name, terminal);
  if (file instanceof Error) throw file;
  return loadPolicyIn({ file, part }, settings, terminal);
}

/** Loads a policy to run from a file that has been read. */
export async function loadPolicyIn(
  { file, part }: { readonly file: SourceText; readonly part: PartPath | undefined },
  settings: PolicySettings,
  terminal: Terminal,
): Promise<LoadedPolicy | Refusal> {
  const loaded = await loadForTarget(settings, terminal);
  if ('refused' in loaded) return loaded;
  const embedded = singlePolicy(file, part, await loaded.embeddedSettings(file.uri));
  if (embedded instanceof Error) throw embedded;
  const target = targetOfEmbedded(embedded, createTargeting(loaded.settings));
  if (target instanceof Error) throw target;
  const { source } = embedded;
  const { runnable, diagnostics } = preparePolicy({ source, target, part: embedded.part });
  const sources = [file];
  if (runnable === undefined) {
    const found = [...diagnostics, ...explainDetection(target, source.uri, diagnostics)];
    return { refused: { sources, diagnostics: findingsInFile(embedded, found) } };
  }
  const { policy, environments } = runnable;
  const report = { sources, diagnostics: findingsInFile(embedded, diagnostics) };
  return { source, embedded, policy, target, environments, report };
}

/** Returns a function from documents to targets, from the command line and the settings. Throws an {@link ExternalError} if they cannot be read. */
export async function loadTargeting(settings: PolicySettings, terminal: Terminal): Promise<Targeting | Refusal> {
  const loaded = await loadForTarget(settings, terminal);
  return 'refused' in loaded ? loaded : createTargeting(loaded.settings);
}

async function loadForTarget(
  { env, profile, endpoint, templates }: PolicySettings,
  terminal: Terminal,
): Promise<LoadedSettings | Refusal> {
  const options = {
    ...(env && { env }),
    ...(profile && { profile }),
    ...(endpoint && { endpoint }),
    ...(templates && { templates }),
  };
  const loaded = await loadSettings(options, terminal);
  for (const failure of loaded.failures) throw failure;
  return loaded.diagnostics.length > 0 ? { refused: loaded } : loaded;
}

/** Reports why a policy cannot be run, as `tollgate check` does. */
export function reportRefusal({ refused }: Refusal, terminal: Terminal, format = 'text'): ExitCode {
  terminal.write(format === 'json' ? jsonReport(refused) : textReport(refused, reportStyle(terminal)));
  return EXIT.findings;
}

/** How a file names a policy. */
export type PolicyChoice = Pick<PolicyTests, 'policy' | 'profile' | 'endpoint'>;

/** The policy that a test file or a file of invariants names. */
interface TestedPolicy extends PreparedPolicy {
  /** Its findings refer to its own document. */
  readonly embedded: EmbeddedPolicy;
  readonly target: Target;
}

/** Returns the location of the policy that a test file names. */
export function testedPath(
  path: string,
  { policy }: Pick<PolicyTests, 'policy'>,
): { readonly name: string; readonly part: PartPath | undefined } {
  return splitFilePart(isAbsolute(policy) ? policy : join(dirname(path), policy));
}

/** What reading the policy of a test file takes. */
interface TestedPolicyOptions extends Pick<LoadedSettings, 'settings' | 'embeddedSettings'> {
  readonly terminal: Terminal;
}

/** Reads the policy that a test file names. Returns an error if that fails. */
export async function readTestedPolicy(
  path: string,
  tests: PolicyChoice,
  { settings, embeddedSettings, terminal }: TestedPolicyOptions,
): Promise<TestedPolicy | ExternalError> {
  const { name, part } = testedPath(path, tests);
  const file = await readSource(name, terminal, { repositoryOf: dirname(path) });
  if (file instanceof Error)
    return new ExternalError(file.code, `${file.message}, the policy of \`${path}\``, { cause: file });
  const embedded = singlePolicy(file, part, await embeddedSettings(file.uri));
  if (embedded instanceof Error) return embedded;
  const target = targetOfEmbedded(embedded, createTargeting(settingsFor(tests, settings)));
  if (target instanceof Error) return target;
  return { embedded, target, ...preparePolicy({ source: embedded.source, target, part: embedded.part }) };
}

/** The test file takes precedence over the settings. */
function settingsFor({ profile, endpoint }: PolicyChoice, settings: Settings): Settings {
  return settingsSaying(settings, { profile: PROFILES.find(one => one.name === profile), endpoint });
}

/**
 * Reads a file of policy tests and the files that it extends, which must be in the same repository. Returns an error if one cannot be read.
 * @param by who names the file
 */
export function readTestsAt(
  path: string,
  terminal: Terminal,
  by?: Parameters<typeof readSource>[2],
): Promise<ReadTestFile | ExternalError> {
  return readTestFile(path, {
    pathOf: (name, file) => (isAbsolute(name) ? name : join(dirname(file), name)),
    read: (file, namedIn) =>
      readSource(file, terminal, namedIn === undefined ? by : { repositoryOf: dirname(namedIn) }),
  });
}
