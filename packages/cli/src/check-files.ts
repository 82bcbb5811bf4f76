import { EDGE_V2, type EndpointKind } from '@tollgate/catalog';
import { type Diagnostic, jsonReport, type SourceText, textReport, type WorldError } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findInputs } from './input/find-inputs.ts';
import { readSource } from './input/read-source.ts';
import { reportLook, type Terminal } from './terminal.ts';

/** The options of `tollgate check`. */
export interface CheckOptions {
  readonly endpoint: EndpointKind;
  readonly format: 'text' | 'json';
}

/** Checks the files and reports on the terminal. Files that cannot be read do not keep the others from being checked. */
export async function checkFiles(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { paths, failures } = await findInputs(files);
  const sources: SourceText[] = [];
  const failed: WorldError[] = [...failures];
  const diagnostics: Diagnostic[] = [];
  const analysis = {
    profile: EDGE_V2,
    endpoint: options.endpoint,
    environments: createPhaseEnvironments(EDGE_V2, options.endpoint),
  };
  for (const path of paths) {
    const source = await readSource(path, terminal);
    if (source instanceof Error) {
      failed.push(source);
      continue;
    }
    sources.push(source);
    diagnostics.push(...analyzePolicy(source, analysis).diagnostics);
  }
  const report = { sources, diagnostics };
  if (options.format === 'json') terminal.write(jsonReport(report));
  else if (sources.length > 0) terminal.write(textReport(report, reportLook(terminal)));
  for (const failure of failed) terminal.writeError(`tollgate: ${failure.message}\n`);
  if (failed.length > 0) return EXIT.world;
  return diagnostics.some(diagnostic => diagnostic.severity === 'error') ? EXIT.findings : EXIT.clean;
}
