import type { EndpointKind } from '@tollgate/catalog';
import { preparePolicy } from '@tollgate/core/documents';
import { createTargeting, explainDetection, type Target } from '@tollgate/core/targeting';
import { jsonReport, type Report, type SourceText, textReport } from '@tollgate/diagnostics';
import type { PhaseEnvironments, Policy } from '@tollgate/policy';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { loadSettings } from '../settings/load-settings.ts';

/** The profile, endpoint and extensions that the command line sets. */
export interface PolicySettings {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Paths of extension files. */
  readonly env?: readonly string[];
}

/** A policy without errors; its report contains warnings at most. */
export interface LoadedPolicy {
  readonly source: SourceText;
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
  const source = await readSource(name, terminal);
  if (source instanceof Error) throw source;
  const target = await loadTarget(source, settings, terminal);
  if ('refused' in target) return target;
  const { runnable, diagnostics } = preparePolicy({ source, target, part });
  const sources = [source];
  if (runnable === undefined) {
    return {
      refused: { sources, diagnostics: [...diagnostics, ...explainDetection(target, source.uri, diagnostics)] },
    };
  }
  const { policy, environments } = runnable;
  return { source, policy, target, environments, report: { sources, diagnostics } };
}

/** Returns the target of a document, from the command line and the settings. Throws an {@link ExternalError} if they cannot be read. */
export async function loadTarget(
  source: SourceText,
  { env, profile, endpoint }: PolicySettings,
  terminal: Terminal,
): Promise<Target | Refusal> {
  const options = { ...(env && { env }), ...(profile && { profile }), ...(endpoint && { endpoint }) };
  const loaded = await loadSettings(options, terminal);
  for (const failure of loaded.failures) throw failure;
  if (loaded.diagnostics.length > 0) return { refused: loaded };
  const target = createTargeting(loaded.settings)(source);
  if (target instanceof Error) throw target;
  return target;
}

/** Reports why a policy cannot be run, as `tollgate check` does. */
export function reportRefusal({ refused }: Refusal, terminal: Terminal, format = 'text'): ExitCode {
  terminal.write(format === 'json' ? jsonReport(refused) : textReport(refused, reportStyle(terminal)));
  return EXIT.findings;
}
