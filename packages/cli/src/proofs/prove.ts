// `tollgate prove`: also policies that fail open, and tests from what is refuted.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mayRefuse, type Phase, type Profile } from '@tollgate/catalog';
import { preparePolicy } from '@tollgate/core/documents';
import { createTargeting } from '@tollgate/core/targeting';
import { type Diagnostic, ExternalError, jsonDiagnostics, type Report, type SourceText } from '@tollgate/diagnostics';
import { findingsInFile, NO_RULES, type Policy, type PolicyTest, type Rule, type TestHeaders } from '@tollgate/policy';
import { countProofs, jsonProof, nameRange, proveInvariants, ruleText, textProof } from '@tollgate/reports';
import { EdgeProver, exchangeText, PolicyProver, type SkippedRule } from '@tollgate/solver';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { findParts, policyFrom } from '../input/document-parts.ts';
import { POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import type { SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../input/load-settings.ts';
import { type PolicySource, readPolicySources } from '../input/policy-sources.ts';
import { readSource } from '../input/read-source.ts';
import { deliverReport, reportOutputs } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { testedPath } from '../policies/load-policy.ts';
import { type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { type EdgeSettings, type LoadedEdge, loadEdge } from '../publish/load-edge.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { findInvariants, type InvariantGroup } from './find-invariants.ts';
import { type ProvedGroup, proveGroup, type Refutation } from './prove-group.ts';

/** The options of `tollgate prove`. */
interface ProveOptions extends Pick<SettingsOptions, 'env'>, OutputOptions {
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
      jsonProof(groups, { counts: countProofs(groups), diagnostics: jsonDiagnostics(shown) }, shown),
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

/** Reports every rule that refuses traffic and that an evaluation error can skip, with a request that shows it. */
async function failOpenReport(
  names: readonly string[],
  { settings, embeddedSettings }: LoadedSettings,
  terminal: Terminal,
): Promise<Report> {
  const failures: ExternalError[] = [];
  const sources = new Map<string, SourceText>();
  const diagnostics: Diagnostic[] = [];
  const reading = { targetOf: createTargeting(settings), embeddedSettings, terminal };
  const inputs = await findParts(names, failures, POLICIES_AND_TESTS);
  for await (const text of readPolicySources(inputs, reading, failure => failures.push(failure))) {
    if (text.kind !== 'policy') continue;
    sources.set(text.embedded.file.uri, text.embedded.file);
    diagnostics.push(...findingsInFile(text.embedded, findingsIn(text)));
  }
  return { sources: [...sources.values()], diagnostics, failures };
}

/** A policy with errors is reported as `tollgate check` does. */
function findingsIn({ source, target, part }: PolicySource): readonly Diagnostic[] {
  const { runnable, diagnostics } = preparePolicy({ source, target, part });
  if (runnable === undefined) return diagnostics;
  const { policy, environments } = runnable;
  const prover = new PolicyProver(policy, { profile: target.profile, endpoint: policy.endpoint, environments });
  return prover.skippedRefusals(isRefusing).map(skipped => findingOf(skipped, source.uri));
}

/** Returns true for rules that keep traffic from the upstream or replace its answer by an error. */
function isRefusing({ actions }: Rule): boolean {
  return actions.some(({ type, fact, config }) => {
    if (type.value === 'deny' || type.value === 'close-connection') return true;
    const status = config.status_code;
    return mayRefuse({ fact }) || (type.value === 'custom-response' && typeof status === 'number' && status >= 400);
  });
}

function findingOf({ rule, proof }: SkippedRule, uri: string): Diagnostic {
  const range = rule.name?.range ?? rule.range;
  if (proof.kind === 'unknown') {
    const message = `it is not known whether an evaluation error can skip this rule: ${proof.reasons.join('; ')}`;
    return { code: 'prove/fail-open', severity: 'warning', message, uri, range, args: { rule: ruleText(rule) } };
  }
  const { exchange, decision } = proof;
  const passes = decision.upstream.isAsked === true ? 'and the request reaches the upstream' : 'and later rules decide';
  const message = `an evaluation error skips this rule, ${passes}: ${exchangeText(exchange)}`;
  return { code: 'prove/fail-open', severity: 'error', message, uri, range, args: { rule: ruleText(rule) } };
}

/** A file of policy tests to write. */
interface TestFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns files of policy tests with the request of each refuted invariant: one for each policy, the second with `-2` in its name. The tests
 * fail now, and pass as soon as the policy decides the requests as the invariants say.
 */
function writtenTests(path: string, groups: readonly ProvedGroup[]): readonly TestFile[] {
  const byPolicy = Map.groupBy(groups.flatMap(testsOf), ({ policy }) => policy);
  return [...byPolicy].map(([policy, tests], at) => {
    const own = at === 0 ? path : join(dirname(path), basename(path).replace('.', `-${at + 1}.`));
    if (existsSync(own)) throw new UsageError(`\`${own}\` already exists; choose another file for \`--write-test\``);
    return { path: own, text: testText(own, policy, tests) };
  });
}

/** Returns messages about refuted invariants that no test could be written for. */
function unwrittenTests(groups: readonly ProvedGroup[]): readonly string[] {
  return groups.flatMap(({ proved, testFor }) =>
    proved.flatMap(({ invariant: { name, claim }, proof }) => {
      if (proof.kind !== 'refuted' || testFor(claim, proof) !== undefined) return [];
      const hasNoPolicy = proof.route !== undefined && proof.route.policyAt === undefined;
      const why = hasNoPolicy ? 'the route of the request has no policy' : 'a policy test cannot say what it claims';
      return [`no test was written for \`${name}\`: ${why}`];
    }),
  );
}

function testText(path: string, named: string, tests: readonly WrittenTest[]): string {
  const policy = named.startsWith('/') ? named : policyFrom(path, named);
  const head = '# Requests that refute invariants. Written by: tollgate prove --write-test\n';
  const lines = tests.map(({ test }) => testLines(test));
  const body = `policy: ${JSON.stringify(policy)}\ntests:\n${lines.join('\n')}\n`;
  const document = { policy, tests: tests.map(({ test }) => test) };
  return path.endsWith('.json') ? `${JSON.stringify(document, undefined, 2)}\n` : `${head}${body}`;
}

interface WrittenTest {
  /** Relative to the working directory. */
  readonly policy: string;
  readonly test: PolicyTest;
}

function testsOf({ proved, testFor }: ProvedGroup): readonly WrittenTest[] {
  return proved.flatMap(({ invariant: { name, claim }, proof }) => {
    const found = proof.kind === 'refuted' ? testFor(claim, proof) : undefined;
    if (proof.kind !== 'refuted' || found === undefined) return [];
    return [{ policy: found.policy, test: { name, ...exchangeOf(proof), expect: found.expect } }];
  });
}

function exchangeOf({ exchange, times = 1 }: Refutation): Omit<PolicyTest, 'name' | 'expect'> {
  const { clientIp, tls, method, url, protocol, response, time } = exchange;
  const { version, cipherSuite, serverName } = tls;
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    connection: {
      ...(clientIp !== undefined && { client_ip: clientIp }),
      tls: {
        ...(version !== undefined && { version }),
        ...(cipherSuite !== undefined && { cipher_suite: cipherSuite }),
        ...(serverName !== undefined && { server_name: serverName }),
      },
    },
    request: {
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(protocol !== undefined && { protocol }),
      headers: headersOf(exchange.requestHeaders.fields),
      no_other_headers: true,
    },
    ...(response?.status !== undefined && { response: responseOf(response) }),
    ...(times > 1 && { times }),
  };
}

function responseOf({ status, headers }: NonNullable<Exchange['response']>) {
  return { ...(status !== undefined && { status }), headers: headersOf(headers.fields), no_other_headers: true };
}

function headersOf(fields: readonly HeaderField[]): TestHeaders {
  const values = Map.groupBy(fields, ({ name }) => name);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? all[0]!.value : all.map(({ value }) => value)]),
  );
}

/** One line per part, each in flow style. */
function testLines({ name, ...parts }: PolicyTest): string {
  const lines = Object.entries(parts).map(([key, part]) => `    ${key}: ${JSON.stringify(part)}`);
  return [`  - name: ${JSON.stringify(name)}`, ...lines].join('\n');
}

// Proves invariants about edges.

/** Returns the path of the edge that a file of invariants names instead of a policy; undefined if it names a policy. */
async function edgeOf({ path, choice }: InvariantGroup, terminal: Terminal): Promise<string | undefined> {
  const { name, part } = testedPath(path, choice);
  if (part !== undefined || !name.endsWith('.json')) return undefined;
  const source = await readSource(name, terminal);
  return !(source instanceof Error) && isEdge(source) ? name : undefined;
}

/** An object with `routes` is an edge, whose faults are reported. */
function isEdge({ text }: SourceText): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'routes' in value;
  } catch {
    return false;
  }
}

/** Proves invariants about edges; each edge is read once. */
class EdgeProofs {
  /** Problems in policies of routes. */
  readonly diagnostics: Diagnostic[] = [];
  readonly #settings: EdgeSettings;
  readonly #terminal: Terminal;
  readonly #known = new Map<string, Promise<EdgeProving>>();

  constructor(settings: EdgeSettings, terminal: Terminal) {
    this.#settings = settings;
    this.#terminal = terminal;
  }

  /** Proves the invariants of a group about an edge, whatever they were written for. Returns an error if it cannot be read. */
  async prove(group: InvariantGroup, file: string): Promise<ProvedGroup | ExternalError> {
    const proving = this.#known.get(file) ?? this.#load(file);
    this.#known.set(file, proving);
    try {
      return (await proving)(group);
    } catch (error) {
      if (error instanceof ExternalError) return error;
      throw error;
    }
  }

  async #load(file: string): Promise<EdgeProving> {
    const loaded = await loadEdge(file, this.#settings, this.#terminal);
    if (!('refused' in loaded)) return createEdgeProving(file, loaded);
    this.diagnostics.push(...loaded.refused.diagnostics);
    const { sources } = loaded.refused;
    return ({ path }) => ({
      path,
      policy: file,
      proved: [],
      testFor: () => undefined,
      sources,
      diagnostics: [],
      cases: [],
    });
  }
}

type EdgeProving = (group: InvariantGroup) => ProvedGroup;

function createEdgeProving(file: string, loaded: LoadedEdge): EdgeProving {
  const { edge, policies, target, report } = loaded;
  const { profile, environments } = target;
  const prover = new EdgeProver(edge, policies, { profile, environments });
  const rulesOf = (policy: Policy | undefined) => profile.phases.flatMap(phase => policy?.rules[phase] ?? []);
  const places = new Map(
    [...policies].flatMap(([route, policy]) => rulesOf(policy).map(rule => [rule, { route, policy }])),
  );
  const about = {
    policy: wholePolicy([...policies.values()], profile, file),
    profile,
    endpoint: 'https-route',
  } as const;
  const placeOf = (rule: Rule) => ({ uri: places.get(rule)!.policy.uri, range: nameRange(rule) });
  const rulesFor = ({ route }: Refutation) => rulesOf(route && policies.get(route));
  return group => ({
    path: group.path,
    policy: file,
    sources: report.sources,
    ...proveInvariants(group.invariants, { about, prover, rulesFor, placeOf }),
    routeOf: rule => places.get(rule)?.route.match,
    testFor: (claim, { exchange, route }) => {
      const expect = route && prover.expectationFor(claim, exchange, route);
      return expect && { policy: `${file}#/${route?.policyAt?.join('/')}`, expect };
    },
  });
}

/** Returns a policy with the rules of all routes, in which invariants look for the rules that they name. */
function wholePolicy(policies: readonly Policy[], { phases }: Profile, uri: string): Policy {
  const rules: Record<Phase, readonly Rule[]> = { ...NO_RULES };
  for (const phase of phases) rules[phase] = policies.flatMap(policy => policy.rules[phase]);
  const range = { start: 0, end: 0 };
  return { uri, endpoint: 'https-route', range, node: { kind: 'map', range, entries: [] }, enabled: true, rules };
}
