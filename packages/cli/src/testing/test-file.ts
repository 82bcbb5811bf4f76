import { dirname, isAbsolute, join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { type Diagnostic, type SourceText, WorldError } from '@tollgate/diagnostics';
import { analyzePolicy, type DocumentNode, type Policy, type PolicyTests, rangeAt, readTests } from '@tollgate/policy';
import { type Mismatch, runTests, type TestRun } from '@tollgate/simulator';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import { createTargeting, explainDetection, type Settings } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';

/** What came of a file of policy tests. */
export interface TestedFile {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined where the tests or their policy have errors. */
  readonly tested: { readonly policy: string; readonly profile: string; readonly run: TestRun } | undefined;
}

/** Runs the tests of one file. Gives the error where a file cannot be read. */
export async function testFile(path: string, settings: Settings, terminal: Terminal): Promise<TestedFile | WorldError> {
  const source = await readSource(path, terminal);
  if (source instanceof Error) return source;
  const { value: tests, diagnostics, root } = readTests(source);
  if (tests === undefined || root === undefined) return { sources: [source], diagnostics, tested: undefined };
  const { name, part } = splitFilePart(isAbsolute(tests.policy) ? tests.policy : join(dirname(path), tests.policy));
  const policySource = await readSource(name, terminal);
  if (policySource instanceof Error)
    return new WorldError(policySource.code, `${policySource.message}, which \`${path}\` tests`, {
      cause: policySource,
    });
  const target = createTargeting(settingsFor(tests, settings))(policySource);
  if (target instanceof Error) return target;
  const {
    policy,
    environments,
    diagnostics: found,
  } = analyzePolicy(policySource, { ...target, ...(part && { part }) });
  const sources = [source, policySource];
  if (policy === undefined || found.some(one => one.severity === 'error'))
    return { sources, diagnostics: [...found, ...explainDetection(target, name, found)], tested: undefined };
  const run = runTests(policy, tests, { profile: target.profile, environments });
  const about = { uri: source.uri, root, policy, profile: target.profile };
  return {
    sources,
    diagnostics: [
      ...onlyWarning(run, tests, about),
      ...run.results.flatMap(({ mismatches }) => mismatches.map(one => mismatchDiagnostic(one, about))),
    ],
    tested: { policy: tests.policy, profile: target.profile.name, run },
  };
}

/** What the file says of its policy wins over the project. */
function settingsFor({ profile, endpoint }: PolicyTests, settings: Settings): Settings {
  return {
    ...settings,
    profile: PROFILES.find(one => one.name === profile) ?? settings.profile,
    endpoint: endpoint ?? settings.endpoint,
  };
}

interface About {
  readonly uri: string;
  readonly root: DocumentNode;
  readonly policy: Policy;
  readonly profile: Settings['profile'] & object;
}

const CODES: Readonly<Record<Mismatch['kind'], string>> = {
  differs: 'test/failed',
  undetermined: 'test/undetermined',
  'unknown-rule': 'test/unknown-rule',
};

function mismatchDiagnostic({ kind, path, message, needs, rule }: Mismatch, about: About): Diagnostic {
  const { uri, root, policy, profile } = about;
  const decided = rule === undefined ? undefined : profile.phases.flatMap(phase => policy.rules[phase])[rule];
  const range = rangeAt(root, { path, ...(kind === 'unknown-rule' && { ofKey: true }) });
  return {
    ...{ code: CODES[kind], severity: 'error', message, uri, range, args: { needs } },
    ...(decided && {
      related: [
        {
          uri: policy.uri,
          range: decided.name?.range ?? decided.range,
          message: path.includes('rules') ? 'this is the rule' : 'this rule decided it',
        },
      ],
    }),
  };
}

function onlyWarning(
  { isNarrowed, counts }: TestRun,
  { tests }: PolicyTests,
  { uri, root }: About,
): readonly Diagnostic[] {
  if (!isNarrowed) return [];
  const range = rangeAt(root, { path: ['tests', tests.findIndex(test => test.only), 'only'] });
  const count = counts['left-out'];
  const message = `${count} ${count === 1 ? 'test is' : 'tests are'} left out: only those that say \`only\` are run`;
  return [{ code: 'test/only', severity: 'warning', message, uri, range, args: { count } }];
}
