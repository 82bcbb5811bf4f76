// `tollgate record`: writes tests from recorded traffic.

import { simulationOptions } from '@tollgate/core/documents';
import { InternalError, SourceText } from '@tollgate/diagnostics';
import {
  type Expectation,
  findTestedRule,
  type PolicyTest,
  type PolicyTests,
  type Rule,
  readTests,
  testsText,
  type WrittenExchange,
} from '@tollgate/policy';
import { formatOutcome, isTableEngine, pluralize, ruleLabel } from '@tollgate/reports';
import {
  createSimulation,
  type Decision,
  reduceExchange,
  runTests,
  type Simulation,
  type SimulationRun,
  testExchange,
  urlUnder,
  type Verdict,
  verdictOf,
  writtenExchange,
} from '@tollgate/simulator';
import { type Exchange, nothingRead, type SkippedRecord } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { policyFrom } from '../input/document-parts.ts';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { chooseRowsOf, STOPPED, stoppedOr } from '../replay/choose-engine.ts';
import type { EngineOptions } from '../replay/replay-options.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { createRedactor, type Redactions } from './redact.ts';
import { type RedactionOptions, redactionsOf } from './redaction-options.ts';

/** The arguments and options of `tollgate record`. */
interface RecordArguments extends TrafficInputs, PolicySettings, RedactionOptions, EngineOptions {
  readonly policy: string;
  readonly output?: string;
  readonly origin?: string;
  readonly allowEmpty?: boolean;
}

/** Writes recorded traffic as policy tests that pass: one for each distinct path through the policy, without credentials. */
export async function recordTests(args: RecordArguments, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal);
  const recorder = new PathRecorder(loaded, { origin: args.origin, redactions: redactionsOf(args, loaded.policy) });
  const exchanges = await read(recorder, loaded, { ...args, terminal }).catch(stoppedOr);
  if (exchanges === undefined) {
    printMessage(terminal, STOPPED);
    return EXIT.interrupted;
  }
  for (const note of recorder.notes()) printMessage(terminal, note);
  if (recorder.tests().length === 0) {
    // Only `--allow-empty` gets here without an exchange.
    const why = exchanges === 0 ? 'there is no exchange' : 'no exchange can be stated as a test';
    printMessage(terminal, `nothing was written: ${why}`);
    return exchanges === 0 ? EXIT.clean : EXIT.findings;
  }
  const { profile, endpoint } = args;
  const file: PolicyTests = {
    policy: args.output === undefined || args.policy === '-' ? args.policy : policyFrom(args.output, args.policy),
    ...(profile && { profile }),
    ...(endpoint && { endpoint }),
    tests: recorder.tests(),
  };
  const text = testsText(file, `Recorded from ${pluralize(exchanges, 'exchange')} by \`tollgate record\`.`);
  confirm(text, loaded);
  if (args.output === undefined) terminal.write(text);
  else {
    const failure = await replaceFile(args.output, text);
    if (failure) throw failure;
  }
  return EXIT.clean;
}

/** Adds what was recorded, and returns the number of exchanges. */
async function read(
  recorder: PathRecorder,
  loaded: LoadedPolicy,
  { terminal, ...args }: RecordArguments & { readonly terminal: Terminal },
): Promise<number> {
  const { engine } = args;
  if (engine !== undefined && isTableEngine(engine)) {
    const { policy, target, environments } = loaded;
    const { profile } = target;
    const options = { profile, environments, ...simulationOptions({ origin: args.origin }), keyOf: verdictPath };
    const { rows, exchanges, skipped } = await chooseRowsOf(policy, options, { ...args, engine, terminal });
    for (const row of rows) recorder.add(row);
    const unread = skipped.reduce((sum, { count }) => sum + count, 0);
    if (exchanges === 0 && !args.allowEmpty)
      throw nothingRead({ files: [args.table!], skipped: unread, example: undefined });
    return exchanges;
  }
  let [exchanges, skipped] = [0, 0];
  let example: SkippedRecord | undefined;
  for (const file of args.files)
    for await (const batch of readTraffic(file, args.traffic)) {
      for (const exchange of batch.exchanges) recorder.add(exchange);
      exchanges += batch.exchanges.length;
      skipped += batch.skipped.length;
      example ??= batch.skipped[0];
    }
  if (exchanges === 0 && !args.allowEmpty) throw nothingRead({ files: args.files, skipped, example });
  return exchanges;
}

/** Reads the tests back and runs them, so that what is written certainly passes. */
function confirm(text: string, { policy, target: { profile }, environments }: LoadedPolicy): void {
  const { value, diagnostics } = readTests(new SourceText('recorded.yaml', text));
  if (value === undefined) throw new InternalError(`the recorded tests cannot be read: ${diagnostics[0]?.message}`);
  const failed = runTests(policy, value, { profile, environments }).results.find(({ status }) => status === 'failed');
  if (failed) throw new InternalError(`the recorded test \`${failed.name}\` fails: ${failed.mismatches[0]?.message}`);
}

// Chooses one exchange for each path through a policy.

/** How to record. */
interface RecordingOptions {
  /** What to assume where a URL is recorded in part. */
  readonly origin: string | undefined;
  readonly redactions: Redactions;
}

/** Keeps one exchange for each distinct path through a policy, as a test. */
class PathRecorder {
  readonly #options: RecordingOptions;
  readonly #redact: (exchange: Exchange) => Exchange;
  readonly #rules: readonly Rule[];
  readonly #tested: Simulation;
  readonly #run: SimulationRun;
  readonly #verdicts = new WeakSet<Verdict>();
  readonly #recordedPaths = new Set<string>();
  readonly #tests = new Map<string, PolicyTest>();
  readonly #names = new Map<string, number>();
  readonly #undetermined = new Set<string>();
  #altered = 0;

  constructor({ policy, target: { profile }, environments }: LoadedPolicy, options: RecordingOptions) {
    this.#options = options;
    this.#redact = createRedactor(options.redactions);
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#tested = createSimulation(policy, { profile, environments });
    const { origin } = options;
    const recorded = { profile, environments, ...(origin !== undefined && { assumptions: { origin } }) };
    this.#run = createSimulation(policy, recorded).begin();
  }

  add(exchange: Exchange): void {
    const verdict = this.#run.judge(exchange);
    if (this.#verdicts.has(verdict)) return;
    this.#verdicts.add(verdict);
    const path = verdictPath(verdict);
    if (this.#recordedPaths.has(path)) return;
    this.#recordedPaths.add(path);
    this.#record(exchange);
  }

  tests(): readonly PolicyTest[] {
    return [...this.#tests.values()];
  }

  /** What people should know about the tests. */
  notes(): readonly string[] {
    const open = this.#undetermined.size;
    return [
      ...(open > 0
        ? [`no test for ${pluralize(open, 'path')}: the outcome depends on something that the recording does not show`]
        : []),
      ...(this.#altered > 0
        ? [
            `${pluralize(this.#altered, 'path')} ${this.#altered === 1 ? 'depends' : 'depend'} on redacted values; the test states the decision without them`,
          ]
        : []),
    ];
  }

  #record(exchange: Exchange): void {
    const whole = this.#written(this.#redact(exchange));
    const decision = this.#decide(whole);
    const path = policyPath(decision);
    if (decision.outcomes.length !== 1) {
      this.#undetermined.add(path);
      return;
    }
    if (this.#tests.has(path)) return;
    if (path !== policyPath(this.#decide(this.#written(exchange)))) this.#altered++;
    const reduced = reduceExchange(whole, part => policyPath(this.#decide(part)) === path);
    const name = this.#unique(testName(this.#decide(reduced), requestText(reduced), this.#rules));
    this.#tests.set(path, { name, ...reduced, expect: expectationOf(this.#decide(reduced), this.#rules) });
  }

  /** Headers that may have been sent, but were not recorded, are stated not to have been only where that decides the same. */
  #written(exchange: Exchange): WrittenExchange {
    const closed = this.#withUrl(exchange, writtenExchange(exchange, true));
    const { requestHeaders, response } = exchange;
    const isWhole = [requestHeaders, response?.headers].every(
      headers => !headers?.complete || headers.withheld.length === 0,
    );
    if (isWhole || policyPath(this.#decide(closed)) === verdictPath(this.#run.judge(exchange))) return closed;
    return this.#withUrl(exchange, writtenExchange(exchange));
  }

  /** A test does not know the origin, so its URL is whole. */
  #withUrl(exchange: Exchange, written: WrittenExchange): WrittenExchange {
    const { origin } = this.#options;
    const url = origin === undefined ? undefined : urlUnder(exchange, { origin });
    return url === undefined ? written : { ...written, request: { ...written.request, url } };
  }

  /** As a run of tests does. */
  #decide(written: WrittenExchange): Decision {
    return this.#tested.begin().decide(testExchange(written, { file: 'recorded', number: 1, unit: 'entry' }));
  }

  #unique(name: string): string {
    const number = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, number);
    return number === 1 ? name : `${name} (${number})`;
  }
}

function requestText({ request }: WrittenExchange): string {
  const { method = 'a request', url = '' } = request ?? {};
  return `${method} ${url.split('?')[0]}`.trim();
}

/** Returns a key of the path that a decision took through a policy: the outcome, and the result and actions of each rule. */
function policyPath(decision: Decision): string {
  return verdictPath(verdictOf(decision));
}

/** As {@link policyPath}, from the countable part. */
function verdictPath({ outcomes, hits, notReached }: Verdict): string {
  const results = hits.map(({ rule, result }) => {
    const actions = result.status === 'failed' ? '' : result.actions.join();
    return `${rule} ${result.status} ${actions}`;
  });
  return [outcomes.map(formatOutcome).join(' or '), ...results, notReached.join()].join('\n');
}

/** Returns what a test expects of a decision with one outcome: its outcome, its status, and the rules that matched or failed. */
function expectationOf({ outcomes, rules, response }: Decision, all: readonly Rule[]): Expectation {
  const [outcome] = outcomes;
  const results = rules.flatMap((result, at) =>
    result.status === 'matched' || result.status === 'failed' ? [[keyOf(all, at), result.status] as const] : [],
  );
  const status = typeof response?.status === 'number' ? response.status : undefined;
  return {
    outcome: outcome!.kind,
    ...(status !== undefined && { status }),
    ...(results.length > 0 && { rules: Object.fromEntries(results) }),
  };
}

/** Returns the name of a rule if it is the only one with it; otherwise its phase and number. */
function keyOf(rules: readonly Rule[], at: number): string {
  const rule = rules[at]!;
  const name = rule.name?.value;
  return name !== undefined && findTestedRule(name, rules) === at ? name : ruleLabel(rule);
}

/** Returns the name of a test: `POST /cart is denied with 403 by "no writing"`. */
function testName({ outcomes, rules }: Decision, request: string, all: readonly Rule[]): string {
  const [outcome] = outcomes;
  const at = rules.findLastIndex(one => one.status === 'matched' && one.actions.some(({ ending }) => ending));
  const rule = at < 0 ? '' : ` by ${keyOf(all, at)}`;
  const kind =
    outcome!.kind === 'passed'
      ? 'passes'
      : outcome!.kind === 'failed'
        ? formatOutcome(outcome!).replace('failed', 'fails')
        : `is ${formatOutcome(outcome!)}`;
  const matched = rules.flatMap((one, index) => (index !== at && one.status === 'matched' ? keyOf(all, index) : []));
  const after = matched.length === 0 ? '' : `, after ${matched.join(', ')}`;
  return `${request} ${kind}${rule}${after}`;
}
