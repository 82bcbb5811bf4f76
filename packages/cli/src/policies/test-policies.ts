// `tollgate test`.

import { dirname, join, relative, resolve } from 'node:path';
import { explainDetection } from '@tollgate/core/targeting';
import {
  type Diagnostic,
  type ExternalError,
  jsonDiagnostics,
  jsonText,
  type Report,
  type ReportedCase,
  type SourceText,
} from '@tollgate/diagnostics';
import { findingsInFile, type PolicyTest, type PolicyTests, parseTests } from '@tollgate/policy';
import {
  countGoals,
  countMutants,
  countTests,
  decidingTrace,
  isBelow,
  isBelowScore,
  jsonCoverage,
  jsonMutants,
  lcovCoverage,
  type PolicyCoverage,
  type PolicyMutants,
  percentOf,
  scoreOf,
  testCases,
  textCoverage,
  textMutants,
  textTests,
} from '@tollgate/reports';
import type { CoverageOfRun } from '@tollgate/reports/coverage';
import { runTests, type TestRun } from '@tollgate/simulator';
import { splitFilePart } from '../input/document-parts.ts';
import { type DirectoryFiles, findInputs } from '../input/find-inputs.ts';
import type { ChangeOptions, FileSelection, SettingsOptions } from '../input/input-options.ts';
import { coverageThreshold, type LoadedSettings, loadSettings, settingsReport } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { reportNoneSelected, selectedFiles } from '../input/selected-files.ts';
import { deliverReport, reportOutputs } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { inThreads, revivedSource } from '../process/concurrency.ts';
import { type ExitCode, type Failure, UsageError } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import type { ConcurrencyOption } from '../process/thread-messages.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { repositoryRoot } from '../trust/trusted-directories.ts';
import { readTestedPolicy, readTestsAt } from './load-policy.ts';
import type { WrittenMissing } from './write-missing.ts';

/**
 * Runs the tests in the files and reports the results. An unreadable file does not stop the others.
 * @param observe called with each file of tests and the files that were read for it
 */
export async function testPolicies(
  names: readonly string[],
  options: TestPoliciesOptions,
  terminal: Terminal,
  observe: (path: string, sources: readonly SourceText[]) => void = () => {},
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
  const coverage = wantsCoverage(options) ? await startCoverage() : undefined;
  const missing = options.writeMissing ? await addMissing(inputs, { options, loaded, terminal }) : undefined;
  const here = () => testInputs(inputs, { loaded, name: options.name, tags: options.tag, coverage, terminal });
  // Coverage of a policy adds up over files.
  const tested = coverage
    ? [await here()]
    : await inThreads({ command: 'test', options, inputs, here, revive }, terminal);
  const files = tested.flatMap(one => one.files);
  if ((options.name || options.tag) && isNothingChosen(tested)) throw new UsageError(nothingChosen(options));
  for (const { path, sources: read } of files) observe(path, read);
  const sources = files.flatMap(file => file.sources);
  const covered =
    coverage && showsCoverage(options)
      ? coverage.results(file => options.failUnder ?? coverageThreshold(loaded, file))
      : [];
  const mutated = wantsMutants(options) ? coverage!.policies().map(one => one.mutants(options.minScore)) : [];
  const report: Report = {
    // Several test files may test the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics: [...files.flatMap(file => file.diagnostics), ...lowCoverage(covered), ...lowScores(mutated)],
    cases: files.flatMap(file => file.cases),
    failures: [
      ...failures,
      ...tested.flatMap(one => one.failures),
      ...(missing?.failures ?? []),
      ...(coverage ? await writeReports({ covered, mutated }, options) : []),
    ],
  };
  const reporters = {
    text: (shown: Report) => {
      if (files.length === 0) return '';
      const style = reportStyle(terminal);
      const isVerbose = options.verbose === true;
      const parts = [
        textTests(files, shown, style),
        textCoverage(covered, style, isVerbose),
        textMutants(mutated, style, isVerbose),
        missing?.text ?? '',
      ];
      return parts.filter(part => part !== '').join('\n');
    },
    json: (shown: Report) => jsonReportOf({ files, covered, mutated, missing }, shown),
  };
  return deliverReport(report, { outputs, options, terminal, reporters });
}

function nothingChosen({ name, tag = [] }: TestPoliciesOptions): string {
  const tags = tag.map(one => `\`${one}\``).join(' or ');
  if (!name) return `no test has the tag ${tags}`;
  return `no test ${tag.length > 0 ? `with the tag ${tags} ` : ''}has a name that matches \`${name.source}\``;
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
  const { value } = parseTests(source);
  if (value === undefined || value.extends !== undefined) return true;
  return isSelected(join(dirname(path), splitFilePart(value.policy).name));
}

/** A directory stands for the files in it that are named like tests; it may contain policies, too. */
const TESTS: DirectoryFiles = {
  pattern: '**/*.test.{yaml,yml,json}',
  isIncluded: () => true,
  what: 'file of policy tests (`*.test.yaml` or `*.test.json`)',
};

/** Writes missing tests, before all tests are run and their coverage is collected. */
async function addMissing(
  inputs: readonly string[],
  {
    options,
    loaded,
    terminal,
  }: { readonly options: TestPoliciesOptions; readonly loaded: LoadedSettings; readonly terminal: Terminal },
): Promise<WrittenMissing & { readonly text: string }> {
  if (options.name || options.tag)
    throw new UsageError('`--write-missing` needs all tests; leave out `--name` and `--tag`');
  const coverage = await startCoverage();
  const { missingText, writeMissing } = await import('./write-missing.ts');
  await testInputs(inputs, { loaded, name: undefined, tags: undefined, coverage, terminal });
  const written = await writeMissing(coverage, terminal);
  return { ...written, text: missingText(written) };
}

interface JsonParts {
  readonly files: readonly (TestedFile & { readonly path: string })[];
  readonly covered: readonly PolicyCoverage[];
  readonly mutated: readonly PolicyMutants[];
  readonly missing: WrittenMissing | undefined;
}

function jsonReportOf({ files, covered, mutated, missing }: JsonParts, report: Report): string {
  const document = {
    version: 1,
    counts: countTests(files),
    files: files.map(({ path, tested }) => ({
      file: path,
      ...(tested && { policy: tested.policy, profile: tested.profile, ...tested.run }),
    })),
    ...(covered.length > 0 && { coverage: jsonCoverage(covered) }),
    ...(mutated.length > 0 && { mutants: jsonMutants(mutated) }),
    ...(missing && { missing: { written: missing.files, undecided: missing.undecided } }),
    diagnostics: jsonDiagnostics(report),
    failures: (report.failures ?? []).map(({ code, message }) => ({ code, message })),
  };
  return `${jsonText(document, 2)}\n`;
}

function wantsCoverage(options: TestPoliciesOptions): boolean {
  return showsCoverage(options) || wantsMutants(options);
}

function wantsMutants({ mutate, minScore, mutantsHtml }: TestPoliciesOptions): boolean {
  return mutate === true || minScore !== undefined || mutantsHtml !== undefined;
}

function showsCoverage(options: TestPoliciesOptions): boolean {
  const { coverage, writeMissing, failUnder, coverageLcov, coverageHtml } = options;
  if (coverage === true || writeMissing === true) return true;
  return [failUnder, coverageLcov, coverageHtml].some(one => one !== undefined);
}

async function startCoverage(): Promise<CoverageOfRun> {
  const { CoverageOfRun } = await import('@tollgate/reports/coverage');
  return new CoverageOfRun();
}

function lowCoverage(covered: readonly PolicyCoverage[]): readonly Diagnostic[] {
  return covered.filter(isBelow).map(({ source, goals, threshold, rules }) => {
    const { all } = countGoals(goals);
    const found = `${percentOf(all)} % (${all.reached} of ${all.possible} goals)`;
    const start = rules[0]?.range.start ?? 0;
    return {
      ...{ code: 'test/coverage', severity: 'error', uri: source.uri, range: { start, end: start } },
      message: `the tests of the policy cover ${found}; at least ${threshold} % is wanted`,
      args: { ...all, threshold: threshold! },
    };
  });
}

function lowScores(mutated: readonly PolicyMutants[]): readonly Diagnostic[] {
  return mutated.filter(isBelowScore).map(policy => {
    const { killed, survived, open } = countMutants(policy);
    const message = `the tests of the policy notice ${scoreOf(policy)} % of its mutants (${killed} of ${killed + survived + open}); at least ${policy.threshold} % is wanted`;
    return {
      ...{ code: 'test/mutants', severity: 'error', uri: policy.source.uri, range: { start: 0, end: 0 }, message },
      args: { killed, survived, open, threshold: policy.threshold! },
    };
  });
}

interface CollectedReports {
  readonly covered: readonly PolicyCoverage[];
  readonly mutated: readonly PolicyMutants[];
}

async function writeReports(
  { covered, mutated }: CollectedReports,
  { coverageLcov, coverageHtml, mutantsHtml }: TestPoliciesOptions,
): Promise<readonly Failure[]> {
  const failures: (Failure | undefined)[] = [];
  if (coverageLcov !== undefined) {
    const root = repositoryRoot(process.cwd()) ?? process.cwd();
    const pathOf = (file: string) => relative(root, resolve(file)).replaceAll('\\', '/');
    failures.push(await replaceFile(coverageLcov, lcovCoverage(covered, pathOf)));
  }
  if (coverageHtml !== undefined) {
    const { htmlCoverage } = await import('@tollgate/reports/html');
    failures.push(await replaceFile(coverageHtml, htmlCoverage(covered)));
  }
  if (mutantsHtml !== undefined) {
    const { htmlMutants } = await import('@tollgate/reports/html');
    failures.push(await replaceFile(mutantsHtml, htmlMutants(mutated)));
  }
  return failures.filter(one => one !== undefined);
}

/** The options of `tollgate test`. */
export interface TestPoliciesOptions
  extends Pick<SettingsOptions, 'env'>,
    OutputOptions,
    ChangeOptions,
    ConcurrencyOption {
  /** Selects tests by their names. */
  readonly name?: RegExp;
  /** Selects tests that have one of these tags. */
  readonly tag?: readonly string[];
  /** Runs the tests again when a file changes, until interrupted. */
  readonly watch?: true;
  readonly coverage?: true;
  /** Percentage of goals that the tests of each policy must reach. */
  readonly failUnder?: number;
  /** Where coverage is written. */
  readonly coverageLcov?: string;
  readonly coverageHtml?: string;
  /** Runs the tests against copies of each policy that have a mistake. */
  readonly mutate?: true;
  /** Percentage of mutants that the tests of each policy must kill. */
  readonly minScore?: number;
  /** Where mutants are written. */
  readonly mutantsHtml?: string;
  /** Adds tests for what no test reaches to the files. */
  readonly writeMissing?: true;
  /** Also says why goals are impossible. */
  readonly verbose?: true;
}

/** The results for some files. */
interface TestedFiles {
  readonly files: readonly (TestedFile & { readonly path: string })[];
  readonly failures: readonly Failure[];
}

/** Loads the settings and returns a function that runs the tests of files. */
export async function prepareTests(options: TestPoliciesOptions, terminal: Terminal) {
  const loaded = await loadSettings(options, terminal);
  return (paths: readonly string[]) => testInputs(paths, { loaded, name: options.name, tags: options.tag, terminal });
}

/** The settings of a run. */
interface ChosenTests {
  readonly loaded: LoadedSettings;
  readonly name: RegExp | undefined;
  readonly tags: readonly string[] | undefined;
  readonly coverage?: CoverageOfRun | undefined;
  readonly terminal: Terminal;
}

/** Runs the tests of files. An unreadable file does not stop the others. */
async function testInputs(
  paths: readonly string[],
  { loaded, name, tags, coverage, terminal }: ChosenTests,
): Promise<TestedFiles> {
  const files: (TestedFile & { readonly path: string })[] = [];
  const failures: Failure[] = [];
  for (const path of withProgress(paths, terminal)) {
    const found = await testFile(path, { ...loaded, name, tags, coverage }, terminal);
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
  /** Of failed tests: the rules that decided, with the values of their expressions, for terminals. */
  readonly traces: readonly { readonly name: string; readonly text: string }[];
  /** Undefined if the tests or their policy have errors. */
  readonly tested: { readonly policy: string; readonly profile: string; readonly run: TestRun } | undefined;
}

/** The settings, and which tests to run. */
interface TestSettings extends Pick<LoadedSettings, 'settings' | 'embeddedSettings'>, Choice {
  readonly coverage?: CoverageOfRun | undefined;
}

/** Runs the tests of one file. Returns an error if a file cannot be read. */
async function testFile(
  path: string,
  { settings, embeddedSettings, name, tags, coverage }: TestSettings,
  terminal: Terminal,
): Promise<TestedFile | ExternalError> {
  const read = await readTestsAt(path, terminal);
  if (read instanceof Error) return read;
  const { source, extended, value, diagnostics, root } = read;
  const tests = value && chosenTests(value, { name, tags });
  if (tests === undefined || root === undefined)
    return { sources: [source, ...extended], diagnostics, cases: [], traces: [], tested: undefined };
  const policyRead = await readTestedPolicy(path, tests, { settings, embeddedSettings, terminal });
  if (policyRead instanceof Error) return policyRead;
  const { embedded, target, runnable, diagnostics: found } = policyRead;
  const sources = [source, ...extended, embedded.file];
  if (runnable === undefined) {
    const explained = explainDetection(target, embedded.source.uri, found);
    const inFile = findingsInFile(embedded, [...found, ...explained]);
    return { sources, diagnostics: inFile, cases: [], traces: [], tested: undefined };
  }
  const { policy } = runnable;
  const run =
    coverage === undefined
      ? runTests(policy, tests, runnable)
      : coverage.run({ embedded, runnable, profile: target.profile }, tests, path);
  const context = { uri: source.uri, root, policy, embedded, profile: target.profile, name, tags, tests };
  const { cases, diagnostics: results } = testCases(run, context);
  const style = reportStyle(terminal);
  const traces = run.results.flatMap((result, index) => {
    const shown = decidingTrace(result, {
      test: tests.tests[index]!,
      tests,
      runnable,
      embedded,
      profile: target.profile,
    });
    return shown === undefined ? [] : [{ name: result.name, text: shown(style) }];
  });
  return {
    sources,
    diagnostics: results,
    cases,
    traces,
    tested: { policy: tests.policy, profile: target.profile.name, run },
  };
}

/** What selects tests. */
type Choice = Pick<ChosenTests, 'name' | 'tags'>;

/** Returns the tests with those that are selected as the only ones; undefined if there are none. A table is selected by its name, too. */
function chosenTests(file: PolicyTests, { name, tags }: Choice): PolicyTests | undefined {
  if (!name && !tags) return file;
  const isChosen = (test: PolicyTest) =>
    (!name || name.test(test.name) || (test.table !== undefined && name.test(test.table))) &&
    (!tags || tags.some(tag => test.tags?.includes(tag)));
  const tests = file.tests.map(test => ({ ...test, only: isChosen(test) }));
  return tests.some(({ only }) => only) ? { ...file, tests } : undefined;
}
