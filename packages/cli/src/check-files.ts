import { type Diagnostic, jsonReport, type SourceText, textReport, type WorldError } from '@tollgate/diagnostics';
import { analyzePolicies, createExpressionCache, type PartPath, parsePartPath } from '@tollgate/policy';
import { EXIT, type ExitCode } from './exit-code.ts';
import { splitFilePart } from './input/file-part.ts';
import { findInputs } from './input/find-inputs.ts';
import { readSource } from './input/read-source.ts';
import { type SettingsOptions, settingsOf } from './settings/settings-options.ts';
import { createTargeting, explainDetection } from './settings/targeting.ts';
import { reportLook, type Terminal } from './terminal.ts';

/** The options of `tollgate check`. */
export interface CheckOptions extends SettingsOptions {
  readonly format: 'text' | 'json';
  /** Where in each file the policies stand, unless the name of the file says it. */
  readonly at?: string;
}

/** Checks the files and reports on the terminal. Files that cannot be read do not keep the others from being checked. */
export async function checkFiles(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const at = options.at === undefined ? undefined : parsePartPath(options.at);
  if (options.at !== undefined && !at) return refusePath(options.at, terminal);
  const sources: SourceText[] = [];
  const failed: WorldError[] = [];
  const diagnostics: Diagnostic[] = [];
  const targetOf = createTargeting(settingsOf(options));
  const expressions = createExpressionCache();
  for (const { path, part = at } of await findParts(files, failed)) {
    const source = await readSource(path, terminal);
    if (source instanceof Error) {
      failed.push(source);
      continue;
    }
    const target = targetOf(source);
    if (target instanceof Error) {
      failed.push(target);
      continue;
    }
    sources.push(source);
    const found = analyzePolicies(source, { ...target, expressions, ...(part && { part }) }).diagnostics;
    diagnostics.push(...found, ...explainDetection(target, source.uri, found));
  }
  const report = { sources, diagnostics };
  if (options.format === 'json') terminal.write(jsonReport(report));
  else if (sources.length > 0) terminal.write(textReport(report, reportLook(terminal)));
  for (const failure of failed) terminal.writeError(`tollgate: ${failure.message}\n`);
  if (failed.length > 0) return EXIT.world;
  return diagnostics.some(diagnostic => diagnostic.severity === 'error') ? EXIT.findings : EXIT.clean;
}

function refusePath(path: string, terminal: Terminal): ExitCode {
  terminal.writeError(`tollgate: \`--at\` expects a path such as \`/spec/policy\`, found \`${path}\`\n`);
  return EXIT.usage;
}

interface Input {
  readonly path: string;
  readonly part: PartPath | undefined;
}

/** The files with the parts of them that are meant, each once. */
async function findParts(files: readonly string[], failed: WorldError[]): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  for (const { name, part } of files.map(splitFilePart)) {
    const { paths, failures } = await findInputs([name]);
    failed.push(...failures);
    for (const path of paths) found.set(`${path} ${JSON.stringify(part)}`, { path, part });
  }
  return [...found.values()];
}
