// `tollgate new test`: a test for each rule of a policy, from exchanges that match.

import { basename, dirname, join } from 'node:path';
import { ExternalError, printable, SourceText } from '@tollgate/diagnostics';
import { readTests } from '@tollgate/policy';
import { runTests } from '@tollgate/simulator';
import { PolicyQuestions, SolverSession } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import { policyFrom, splitFilePart } from '../input/document-parts.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createFile } from './new-files.ts';

/** The options of `tollgate new test`. */
export interface NewTestOptions extends PolicySettings {
  /** Path of the new file; by default next to the policy. */
  readonly output?: string;
}

/**
 * Writes a test file for a policy: for each rule a request that it matches, found by the solver. Tests that do not pass as they are, because
 * they need a value that only the author knows, are skipped with a reason.
 */
export async function newTest(policy: string, options: NewTestOptions, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPolicy(policy, options, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal, 'text');
  const { name } = splitFilePart(policy);
  const path = options.output ?? join(dirname(name), `${basename(name).replace(/\.[^.]*$/, '')}.test.yaml`);
  const tests = testsFor(loaded);
  if (tests.length === 0) throw new ExternalError('file/none-found', `\`${policy}\` has no rule to test`);
  await createFile(path, fileOf(policyFrom(path, policy), withSkips(tests, loaded), loaded));
  terminal.write(`created  ${printable(path)}\n`);
  return EXIT.clean;
}

/** A test as data: what the file contains. */
interface TestData {
  readonly name: string;
  readonly skip?: string;
  readonly connection?: unknown;
  readonly request?: unknown;
  readonly response?: unknown;
  readonly expect: { readonly rules: Readonly<Record<string, 'matched'>> };
}

function testsFor({ policy, target, environments }: LoadedPolicy): readonly TestData[] {
  const { profile } = target;
  const session = new SolverSession({ profile, endpoint: policy.endpoint, environments });
  const questions = new PolicyQuestions(session, policy);
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const counts = Map.groupBy(rules, ({ name }) => name?.value);
  return rules.flatMap((rule): readonly TestData[] => {
    const own = rule.name?.value;
    const isUnique = own !== undefined && own !== '' && counts.get(own)?.length === 1;
    const name = isUnique ? own : `${rule.phase} ${rule.index + 1}`;
    const answer = questions.canMatch(rule);
    if (answer.kind === 'impossible') return [];
    const expect = { rules: { [name]: 'matched' } } as const;
    if (answer.kind === 'unknown')
      return [{ name: `${name}: runs`, skip: `no request was found: ${answer.reason}`, expect }];
    return [{ name: `${name}: runs`, ...describeExchange(answer.exchange), expect }];
  });
}

function describeExchange({ clientIp, method, url, target, requestHeaders, response }: Exchange) {
  const place = url ?? target;
  const request = {
    ...(method !== undefined && { method }),
    ...(place !== undefined && { url: place }),
    ...headersOf(requestHeaders),
  };
  const answered = response && {
    ...(response.status !== undefined && { status: response.status }),
    ...headersOf(response.headers),
  };
  return {
    ...(clientIp !== undefined && { connection: { client_ip: clientIp } }),
    ...(Object.keys(request).length > 0 && { request }),
    ...(answered && Object.keys(answered).length > 0 && { response: answered }),
  };
}

function headersOf({ fields, complete }: Exchange['requestHeaders']) {
  const byName = Map.groupBy(fields, ({ name }) => name);
  const headers = Object.fromEntries(
    [...byName].map(([name, same]) => [name, same.length === 1 ? same[0]!.value : same.map(({ value }) => value)]),
  );
  return { ...(fields.length > 0 && { headers }), ...(complete && { no_other_headers: true }) };
}

/** Skips the tests that do not pass. */
function withSkips(tests: readonly TestData[], loaded: LoadedPolicy): readonly TestData[] {
  const { value } = readTests(new SourceText('new.test.yaml', fileOf('policy.yaml', tests, loaded)));
  if (value === undefined) return tests.map(one => withReason(one, SKIPPED));
  const { profile } = loaded.target;
  const { results } = runTests(loaded.policy, value, { profile, environments: loaded.environments });
  return tests.map((one, index) => {
    const isPassed = results[index]?.status === 'passed' || one.skip !== undefined;
    return isPassed ? one : withReason(one, SKIPPED);
  });
}

const SKIPPED = 'add what the rule depends on';

/** The reason comes after the name. */
function withReason({ name, ...others }: TestData, skip: string): TestData {
  return { name, skip, ...others };
}

function fileOf(policy: string, tests: readonly TestData[], { target, policy: { endpoint } }: LoadedPolicy): string {
  const head = Object.entries({ policy, profile: target.profile.name, endpoint });
  return `${head.map(entryText).join('')}tests:\n${tests.map(testText).join('\n')}`;
}

function testText(test: TestData): string {
  const [first, ...others] = Object.entries(test).map(entryText);
  return `  - ${first}${others.map(line => `    ${line}`).join('')}`;
}

function entryText([key, value]: readonly [string, unknown]): string {
  return `${key}: ${flowText(value)}\n`;
}

/** Strings that YAML reads as they are. */
const PLAIN_SCALAR = /^[A-Za-z][\w-]*(?:[ .][\w-]+)*$/;
const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** Returns a value in the flow style of YAML. */
function flowText(value: unknown): string {
  if (typeof value === 'string')
    return PLAIN_SCALAR.test(value) && !RESERVED.has(value.toLowerCase()) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${flowText(key)}: ${flowText(one)}`)
    .join(', ')} }`;
}
