// Runs the tests of all files, and shows what they reach of each policy.

import { TESTS_NAME } from '@tollgate/core/documents';
import { ANSI, type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
import { readTestFile } from '@tollgate/policy';
import { countTests, decidingTrace, type ReportedTests, testCases, textCoverage, textTests } from '@tollgate/reports';
import { CoverageOfRun } from '@tollgate/reports/coverage';
import { htmlCoverage } from '@tollgate/reports/html';
import type { JobResult, TestJob } from '../jobs.ts';
import { loadPolicy } from '../project/load-policy.ts';
import type { LoadedProject, ProjectFiles } from '../project/load-project.ts';

interface TestedFile extends ReportedTests {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the results of all tests and their coverage. */
export async function runTestFiles(
  files: ProjectFiles,
  project: LoadedProject,
  { width }: TestJob,
): Promise<JobResult> {
  const paths = [...files.sources.keys()].filter(path => TESTS_NAME.test(path));
  if (paths.length === 0)
    throw new ExternalError('file/none-found', 'no tests; write them in a file such as `policy.test.yaml`');
  const coverage = new CoverageOfRun();
  const tested: TestedFile[] = [];
  for (const path of paths) tested.push(await testFile(path, { files, project, coverage, width }));
  const covered = coverage.results(() => project.value?.coverage?.failUnder);
  const sources = [
    ...new Map(tested.flatMap(one => one.sources).map((one): [string, SourceText] => [one.uri, one])).values(),
  ];
  const report = { sources, diagnostics: tested.flatMap(one => one.diagnostics) };
  const style = { paint: ANSI, width };
  const parts = [textTests(tested, report, style), textCoverage(covered, style)];
  return {
    text: parts.filter(part => part !== '').join('\n'),
    ...(covered.length > 0 && { html: htmlCoverage(covered) }),
    isBad: countTests(tested).failed > 0 || report.diagnostics.some(({ severity }) => severity === 'error'),
  };
}

interface TestContext {
  readonly files: ProjectFiles;
  readonly project: LoadedProject;
  readonly coverage: CoverageOfRun;
  readonly width: number;
}

async function testFile(path: string, { files, project, coverage, width }: TestContext): Promise<TestedFile> {
  const read = await readTestFile(path, {
    pathOf: name => name.replace(/^\.\//, ''),
    read: async name =>
      files.sources.get(name) ?? new ExternalError('file/not-found', `no file \`${name}\`; add it to the playground`),
  });
  if (read instanceof Error) throw read;
  const { source, extended, value: tests, diagnostics, root } = read;
  if (tests === undefined || root === undefined)
    return { path, tested: undefined, sources: [source, ...extended], diagnostics };
  const loaded = loadPolicy(files, project, tests);
  if ('refused' in loaded) {
    const { sources, diagnostics: refused } = loaded.refused;
    return { path, tested: undefined, sources: [source, ...extended, ...sources], diagnostics: refused };
  }
  const { embedded, policy, environments, target } = loaded;
  const { profile } = target;
  const runnable = { policy, profile, environments };
  const run = coverage.run({ embedded, runnable, profile }, tests, path);
  const found = testCases(run, {
    uri: source.uri,
    root,
    policy,
    embedded,
    profile,
    name: undefined,
    tags: undefined,
    tests,
  });
  const traces = run.results.flatMap((result, index) => {
    const shown = decidingTrace(result, { test: tests.tests[index]!, tests, runnable, embedded, profile });
    return shown === undefined ? [] : [{ name: result.name, text: shown({ paint: ANSI, width }) }];
  });
  const sources = [source, ...extended, embedded.file];
  return { path, tested: { run }, traces, sources, diagnostics: found.diagnostics };
}
