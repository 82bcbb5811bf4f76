import { explainDetection, type Settings } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, ReportedCase, SourceText } from '@tollgate/diagnostics';
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
import { type Mismatch, runTests, type TestResult, type TestRun } from '@tollgate/simulator';
import type { LoadedSettings } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../process/terminal.ts';
import { readTestedPolicy } from './load-policy.ts';

/** The results of one test file. */
export interface TestedFile {
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
export async function testFile(
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
    ...{ uri: context.uri, name, range },
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
    ...{ code: CODES[kind], severity: 'error', message, uri, range, args: { needs } },
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
