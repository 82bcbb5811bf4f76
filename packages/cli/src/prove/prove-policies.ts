import {
  type Diagnostic,
  type ExternalError,
  jsonDiagnostics,
  type Report,
  type SourceText,
} from '@tollgate/diagnostics';
import { deliverReport } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import type { ExitCode } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { failOpenReport } from './fail-open.ts';
import { findInvariants } from './find-invariants.ts';
import { jsonProof } from './json-proof.ts';
import { EdgeProofs, edgeOf } from './prove-edge.ts';
import { type ProvedGroup, proveGroup } from './prove-group.ts';
import { countsOf, textProof } from './text-proof.ts';
import { unwrittenTests, writtenTests } from './written-tests.ts';

/** The options of `tollgate prove`. */
export interface ProveOptions extends Pick<SettingsOptions, 'env'>, OutputOptions {
  readonly failOpen?: true;
  /** Path of an edge in the form that the API returns, or `live:TARGET`: the invariants are proved about it. */
  readonly edge?: string;
  /** The environment of a live target. */
  readonly environment?: string;
  /** The file to write tests to. */
  readonly writeTest?: string;
}

/**
 * Proves the invariants that the arguments name, by default those of the edge or of the working directory, and reports the results. An
 * unreadable file does not stop the others.
 */
export async function provePolicies(
  given: readonly string[],
  options: ProveOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.failOpen && options.writeTest !== undefined) {
    throw new UsageError('`--fail-open` does not look at invariants; leave `--write-test` out');
  }
  if (options.failOpen && options.edge !== undefined) {
    throw new UsageError('`--fail-open` is about single policies; leave `--edge` out');
  }
  const names = given.length > 0 ? given : [options.edge?.startsWith('live:') === false ? options.edge : '.'];
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(settingsReport(loaded), { outputs, options, terminal });
  if (options.failOpen) {
    return deliverReport(await failOpenReport(names, loaded, terminal), { outputs, options, terminal });
  }
  const { groups, report } = await proveAll(names, loaded, { options, terminal });
  const failures = options.writeTest === undefined ? [] : await writeTests(options.writeTest, groups);
  for (const message of options.writeTest === undefined ? [] : unwrittenTests(groups)) printMessage(terminal, message);
  const whole = { ...report, failures: [...(report.failures ?? []), ...failures] };
  const reporters = {
    text: (shown: Report) =>
      groups.length === 0 && shown.diagnostics.length === 0 ? '' : textProof(groups, shown, reportStyle(terminal)),
    json: (shown: Report) =>
      jsonProof(groups, { counts: countsOf(groups), diagnostics: jsonDiagnostics(shown) }, shown),
  };
  return deliverReport(whole, { outputs, options, terminal, reporters });
}

interface ProofRun {
  readonly options: ProveOptions;
  readonly terminal: Terminal;
}

async function proveAll(names: readonly string[], loaded: LoadedSettings, { options, terminal }: ProofRun) {
  const found = await findInvariants(names, loaded.project, terminal);
  const failures: ExternalError[] = [...found.failures];
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const sources: SourceText[] = [...found.sources];
  const groups: ProvedGroup[] = [];
  const edges = new EdgeProofs(options, terminal);
  for (const group of found.groups) {
    const edge = options.edge ?? (await edgeOf(group, terminal));
    const proved = await (edge === undefined ? proveGroup(group, loaded, terminal) : edges.prove(group, edge));
    if (proved instanceof Error) {
      failures.push(proved);
      continue;
    }
    groups.push(proved);
    sources.push(...proved.sources);
    diagnostics.push(...proved.diagnostics);
  }
  const report: Report = {
    // Several files may be about the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics: [...diagnostics, ...edges.diagnostics],
    cases: groups.flatMap(group => group.cases),
    failures,
  };
  return { groups, report };
}

async function writeTests(path: string, groups: readonly ProvedGroup[]): Promise<readonly ExternalError[]> {
  const failures: ExternalError[] = [];
  for (const file of writtenTests(path, groups)) {
    const failure = await replaceFile(file.path, file.text);
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}
