// `tollgate test`.

import { dirname, join } from 'node:path';
import { explainDetection, type Settings } from '@tollgate/core/targeting';
import {
  type Diagnostic,
  type ExternalError,
  jsonDiagnostics,
  jsonText,
  type Report,
  type ReportedCase,
  type SourceText,
} from '@tollgate/diagnostics';
import {
  type DocumentNode,
  type EmbeddedPolicy,
  findingsInFile,
  type Policy,
  type PolicyTests,
  rangeAt,
  rangeInFile,
  readTests,
} from '@tollgate/policy';
import { countTests, textTests } from '@tollgate/reports';
import { type Mismatch, runTests, type TestResult, type TestRun } from '@tollgate/simulator';
import { splitFilePart } from '../input/document-parts.ts';
import { type DirectoryFiles, findInputs } from '../input/find-inputs.ts';
import type { ChangeOptions, FileSelection, SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { reportNoneSelected, selectedFiles } from '../input/selected-files.ts';
import { deliverReport, reportOutputs } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { inThreads, revivedSource } from '../process/concurrency.ts';
import { type ExitCode, type Failure, UsageError } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import type { ConcurrencyOption } from '../process/thread-messages.ts';
import { readTestedPolicy } from './load-policy.ts';

/** Runs the tests in the files and reports the results. An unreadable file does not stop the others. */
export async function testPolicies(
  names: readonly string[],
  options: TestPoliciesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(settingsReport(loaded), { outputs, options, terminal });
  const selecting = { options, loaded, terminal };
  const isSelected = await selectedFiles(selecting);
  const { paths, failures } = await findInputs(names, TESTS);
  const inputs = isSelected ? await affectedTests(paths, isSelected, terminal) : paths;
  if (inputs.length === 0 && paths.length > 0) reportNoneSelected('no test file or tested policy is', selecting);
  const here = () => testInputs(inputs, { loaded, name: options.name, terminal });
  const tested = await inThreads({ command: 'test', options, inputs, here, revive }, terminal);
  const files = tested.flatMap(one => one.files);
  if (options.name && isNothingChosen(tested))
    throw new UsageError(`no test has a name that matches \`${options.name.source}\``);
  const sources = files.flatMap(file => file.sources);
  const report: Report = {
    // Several test files may test the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics: files.flatMap(file => file.diagnostics),
    cases: files.flatMap(file => file.cases),
    failures: [...failures, ...tested.flatMap(one => one.failures)],
  };
  const reporters = {
    text: (shown: Report) => (files.length === 0 ? '' : textTests(files, shown, reportStyle(terminal))),
    json: (shown: Report) => jsonReportOf(files, shown),
  };
  return deliverReport(report, { outputs, options, terminal, reporters });
}

/** Files with errors may contain tests of the name. */
function isNothingChosen(tested: readonly TestedFiles[]): boolean {
  const files = tested.flatMap(one => one.files);
  return (
    files.every(({ cases, diagnostics }) => cases.length + diagnostics.length === 0) &&
    tested.every(({ failures }) => failures.length === 0)
  );
}

function revive({ files, failures }: TestedFiles): TestedFiles {
  return { files: files.map(file => ({ ...file, sources: file.sources.map(revivedSource) })), failures };
}

/** Returns the tests that are selected themselves, or whose policies are. */
async function affectedTests(
  paths: readonly string[],
  isSelected: FileSelection,
  terminal: Terminal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (isSelected(path) || (await isPolicySelected(path, isSelected, terminal))) found.push(path);
  }
  return found;
}

async function isPolicySelected(path: string, isSelected: FileSelection, terminal: Terminal): Promise<boolean> {
  const source = await readSource(path, terminal);
  // Running an unreadable or wrong test reports why.
  if (source instanceof Error) return true;
  const { value } = readTests(source);
  return value === undefined || isSelected(join(dirname(path), splitFilePart(value.policy).name));
}

/** A directory stands for the files in it that are named like tests; it may contain policies, too. */
const TESTS: DirectoryFiles = {
  pattern: '**/*.test.{yaml,yml,json}',
  isIncluded: () => true,
  what: 'file of policy tests (`*.test.yaml` or `*.test.json`)',
};

function jsonReportOf(files: readonly (TestedFile & { readonly path: string })[], report: Report): string {
  const document = {
    version: 1,
    counts: countTests(files),
    files: files.map(({ path, tested }) => ({
      file: path,
      ...(tested && { policy: tested.policy, profile: tested.profile, ...tested.run }),
    })),
    diagnostics: jsonDiagnostics(report),
    failures: (report.failures ?? []).map(({ code, message }) => ({ code, message })),
  };
  return `${jsonText(document, 2)}\n`;
}

/** The options of `tollgate test`. */
export interface TestPoliciesOptions
  extends Pick<SettingsOptions, 'env'>,
    OutputOptions,
    ChangeOptions,
    ConcurrencyOption {
  /** Selects tests by their names. */
  readonly name?: RegExp;
}

/** The results for some files. */
interface TestedFiles {
  readonly files: readonly (TestedFile & { readonly path: string })[];
  readonly failures: readonly Failure[];
}

/** Loads the settings and returns a function that runs the tests of files. */
export async function prepareTests(options: TestPoliciesOptions, terminal: Terminal) {
  const loaded = await loadSettings(options, terminal);
  return (paths: readonly string[]) => testInputs(paths, { loaded, name: options.name, terminal });
}

/** The settings of a run. */
interface ChosenTests {
  readonly loaded: LoadedSettings;
  readonly name: RegExp | undefined;
  readonly terminal: Terminal;
}

/** Runs the tests of files. An unreadable file does not stop the others. */
async function testInputs(paths: readonly string[], { loaded, name, terminal }: ChosenTests): Promise<TestedFiles> {
  const files: (TestedFile & { readonly path: string })[] = [];
  const failures: Failure[] = [];
  for (const path of withProgress(paths, terminal)) {
    const found = await testFile(path, { ...loaded, name }, terminal);
    if (found instanceof Error) failures.push(found);
    else files.push({ path, ...found });
  }
  return { files, failures };
}

/** The results of one test file. */
interface TestedFile {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  /** The tests that ran or were skipped, with their failures. */
  readonly cases: readonly ReportedCase[];
  /** Undefined if the tests or their policy have errors. */
  readonly tested: { readonly policy: string; readonly profile: string; readonly run: TestRun } | undefined;
}

/** The settings, and which tests to run. */
interface TestSettings extends Pick<LoadedSettings, 'settings' | 'carriers'> {
  readonly name?: RegExp | undefined;
}

/** Runs the tests of one file. Returns an error if a file cannot be read. */
async function testFile(
  path: string,
  { settings, carriers, name }: TestSettings,
  terminal: Terminal,
): Promise<TestedFile | ExternalError> {
  const source = await readSource(path, terminal);
  if (source instanceof Error) return source;
  const { value, diagnostics, root } = readTests(source);
  const tests = value && testsByName(value, name);
  if (tests === undefined || root === undefined)
    return { sources: [source], diagnostics, cases: [], tested: undefined };
  const read = await readTestedPolicy(path, tests, { settings, carriers, terminal });
  if (read instanceof Error) return read;
  const { embedded, target, runnable, diagnostics: found } = read;
  const sources = [source, embedded.file];
  if (runnable === undefined) {
    const explained = explainDetection(target, embedded.source.uri, found);
    const inFile = findingsInFile(embedded, [...found, ...explained]);
    return { sources, diagnostics: inFile, cases: [], tested: undefined };
  }
  const { policy } = runnable;
  const run = runTests(policy, tests, runnable);
  const context = { uri: source.uri, root, policy, embedded, profile: target.profile, name };
  const cases = run.results.map((result, index) => caseOf(result, index, context));
  return {
    sources,
    diagnostics: [...onlyWarning(run, tests, context), ...cases.flatMap(one => one.diagnostics)],
    cases,
    tested: { policy: tests.policy, profile: target.profile.name, run },
  };
}

function caseOf({ name, status, reason, mismatches }: TestResult, index: number, context: TestContext): ReportedCase {
  const range = rangeAt(context.root, { path: ['tests', index, 'name'] });
  const why = status === 'left-out' ? leftOutBecause(context) : reason;
  return {
    uri: context.uri,
    name,
    range,
    status: status === 'left-out' ? 'skipped' : status,
    ...(why !== undefined && { reason: why }),
    diagnostics: mismatches.map(mismatch => mismatchDiagnostic(mismatch, context)),
  };
}

/** Returns the tests with those of the name as the only ones; undefined if there are none. */
function testsByName(file: PolicyTests, name: RegExp | undefined): PolicyTests | undefined {
  if (!name) return file;
  const tests = file.tests.map(test => ({ ...test, only: name.test(test.name) }));
  return tests.some(({ only }) => only) ? { ...file, tests } : undefined;
}

function leftOutBecause({ name }: TestContext): string {
  return name ? '`--name` selects other tests' : 'other tests set `only`';
}

interface TestContext {
  readonly uri: string;
  readonly root: DocumentNode;
  readonly policy: Policy;
  readonly embedded: EmbeddedPolicy;
  readonly profile: Settings['profile'] & object;
  readonly name: RegExp | undefined;
}

const CODES: Readonly<Record<Mismatch['kind'], string>> = {
  differs: 'test/failed',
  undetermined: 'test/undetermined',
  'unknown-rule': 'test/unknown-rule',
};

function mismatchDiagnostic({ kind, path, message, needs, rule }: Mismatch, context: TestContext): Diagnostic {
  const { uri, root, policy, embedded, profile } = context;
  const decided = rule === undefined ? undefined : profile.phases.flatMap(phase => policy.rules[phase])[rule];
  const range = rangeAt(root, { path, ...(kind === 'unknown-rule' && { ofKey: true }) });
  return {
    code: CODES[kind],
    severity: 'error',
    message,
    uri,
    range,
    args: { needs },
    ...(decided && {
      related: [
        {
          uri: embedded.file.uri,
          range: rangeInFile(embedded, decided.name?.range ?? decided.range),
          message: path.includes('rules') ? 'this is the rule' : 'this rule decided',
        },
      ],
    }),
  };
}

function onlyWarning(
  { isNarrowed, counts }: TestRun,
  { tests }: PolicyTests,
  { uri, root, name }: TestContext,
): readonly Diagnostic[] {
  if (!isNarrowed || name) return [];
  const range = rangeAt(root, { path: ['tests', tests.findIndex(test => test.only), 'only'] });
  const count = counts['left-out'];
  const message = `${count} ${count === 1 ? 'test' : 'tests'} skipped because other tests set \`only\``;
  return [{ code: 'test/focused', severity: 'warning', message, uri, range, args: { count } }];
}
