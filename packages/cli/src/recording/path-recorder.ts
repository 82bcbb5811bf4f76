import type { PolicyTest, Rule, WrittenExchange } from '@tollgate/policy';
import {
  createSimulation,
  type Decision,
  type Simulation,
  type SimulationRun,
  testExchange,
  urlUnder,
  type Verdict,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { LoadedPolicy } from '../policies/load-policy.ts';
import { pluralize } from '../text/format-count.ts';
import { expectationOf, testName } from './expectation.ts';
import { policyPath, verdictPath } from './policy-path.ts';
import { createRedactor, type Redactions } from './redact.ts';
import { reduceExchange } from './reduce-exchange.ts';
import { writtenExchange } from './written-exchange.ts';

/** How to record. */
export interface RecordingOptions {
  /** What to assume of URLs of which a part is not recorded. */
  readonly origin: string | undefined;
  readonly redactions: Redactions;
}

/** Keeps one exchange for each distinct path through a policy, as a test. */
export class PathRecorder {
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
        ? [
            `${pluralize(open, 'path')} cannot be stated as a test, because the outcome depends on what tests do not contain`,
          ]
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

  /** A test does not know the origin, so its URL is whole. */
  #written(exchange: Exchange): WrittenExchange {
    const { origin } = this.#options;
    const written = writtenExchange(exchange);
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
