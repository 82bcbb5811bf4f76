// Policies of the playground's files that are ready to run.

import { PROFILES } from '@tollgate/catalog';
import { preparePolicy } from '@tollgate/core/documents';
import {
  createTargeting,
  explainDetection,
  settingsSaying,
  type Target,
  targetOfEmbedded,
} from '@tollgate/core/targeting';
import { ExternalError, type Report, type SourceText } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  findingsInFile,
  findPolicies,
  isEmbeddingFormat,
  isMeantAsPolicy,
  type PhaseEnvironments,
  type Policy,
  type PolicyTests,
  parsePartPath,
  partAddress,
  policyAt,
} from '@tollgate/policy';
import type { LoadedProject, ProjectFiles } from './load-project.ts';

/** A policy without errors; its report contains warnings at most. */
export interface LoadedPolicy {
  readonly embedded: EmbeddedPolicy;
  readonly policy: Policy;
  readonly target: Target;
  readonly environments: PhaseEnvironments;
  readonly report: Report;
}

/** Why a policy cannot be run. */
export interface Refusal {
  readonly refused: Report;
}

/** What a file of tests or invariants says about its policy. */
type PolicyChoice = Pick<PolicyTests, 'policy' | 'profile' | 'endpoint'>;

/**
 * Loads the policy that a name stands for: that of a file, or `FILE#/spec/policy` for one part of it.
 *
 * @throws {ExternalError} if there is no such file or policy
 */
export function loadPolicy(
  files: ProjectFiles,
  project: LoadedProject,
  { policy: name, profile, endpoint }: PolicyChoice,
): LoadedPolicy | Refusal {
  const settings = settingsSaying(project.settings, { profile: PROFILES.find(one => one.name === profile), endpoint });
  const embedded = policyNamed(files, project, name);
  const target = targetOfEmbedded(embedded, createTargeting(settings));
  if (target instanceof Error) throw target;
  const { file, source } = embedded;
  const { runnable, diagnostics } = preparePolicy({ source, target, part: embedded.part });
  if (runnable === undefined) {
    const found = [...diagnostics, ...explainDetection(target, source.uri, diagnostics)];
    return { refused: { sources: [file], diagnostics: findingsInFile(embedded, found) } };
  }
  const { policy, environments } = runnable;
  const report = { sources: [file], diagnostics: findingsInFile(embedded, diagnostics) };
  return { embedded, policy, target, environments, report };
}

function policyNamed({ directory, sources }: ProjectFiles, project: LoadedProject, name: string): EmbeddedPolicy {
  const [, path = name, address] = /^(.+?)(?:#(\/.*))?$/s.exec(name.replace(/^\.\//, '')) ?? [];
  const file = sources.get(`${directory}${path}`);
  if (file === undefined) throw new ExternalError('file/not-found', `no file \`${path}\`; add it to the playground`);
  const found = findPolicies(file, project.embeddedSettingsOf(file.uri));
  return address === undefined ? onlyPolicy(file, found) : policyIn(file, found, address);
}

function onlyPolicy(file: SourceText, found: readonly EmbeddedPolicy[]): EmbeddedPolicy {
  if (found.length === 1) return found[0]!;
  if (found.length === 0 && isMeantAsPolicy(file)) return policyAt(file, { document: undefined, steps: [] });
  if (found.length === 0) throw new ExternalError('usage/no-policy', `no policy in \`${file.uri}\``);
  const names = found.slice(0, 5).map(({ path }) => `\`${file.uri}#${partAddress(path)}\``);
  const message = `\`${file.uri}\` contains ${found.length} policies: ${names.join(', ')}; choose a file with one`;
  throw new ExternalError('file/several-policies', message);
}

function policyIn(file: SourceText, found: readonly EmbeddedPolicy[], address: string): EmbeddedPolicy {
  const named = found.find(({ path }) => partAddress(path) === address);
  const part = parsePartPath(address);
  if (named) return named;
  if (part && !isEmbeddingFormat(file.uri)) return policyAt(file, part);
  throw new ExternalError('usage/no-policy', `no policy at \`${file.uri}#${address}\``);
}
