// `--follow`: what is said and counted while a recording is decided that is still being written.

import { BOOL, check, compileClosures, createEnvironment, INT, objectType, parse } from '@tollgate/cel';
import { printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { becomesText, formatBounds, formatOutcome, pluralize } from '@tollgate/reports';
import {
  type ComparedPolicy,
  type ComparedVerdicts,
  type ImpactOptions,
  type ImpactSummary,
  type Interval,
  impact,
  isDenial,
  type Outcome,
  type ReplayOptions,
  type ReplaySummary,
  type ReplayWatch,
  replay,
  type TrafficSummary,
  type Verdict,
} from '@tollgate/simulator';
import { type Exchange, formatLocation, type TrafficReader } from '@tollgate/traffic';
import { followingReader } from '@tollgate/traffic-node';
import { Counter, Registry } from 'prom-client';
import { EXIT, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { readAddress, serveMetrics } from '../server/listen.ts';
import type { FollowOptions } from './replay-options.ts';

/** What is counted: exchanges that are denied, or those that a change of the policy denies and changes. */
export type FollowedFigures = 'decisions' | 'changes';

/** How often totals are printed if nothing else happens, in ms. */
const QUIET_MS = 10_000;

/** How often they are printed at most, in ms. */
const BUSY_MS = 1000;

/** Clients that are denied are named once, until so many others were. */
const MAX_CLIENTS = 10_000;

/** How many are named between two lines with totals. */
const MAX_NAMED = 20;

/** Follows recordings: tells what happens, serves metrics, and stops when the user said. */
export class Following {
  readonly #options: FollowOptions;
  readonly #stop = new AbortController();
  readonly #totals: Totals;
  readonly #condition: StopCondition | undefined;
  readonly #metrics: FollowMetrics;
  readonly #write: (text: string) => void;
  readonly #terminal: Terminal;
  readonly #clients = new Set<string>();
  #unnamed = 0;
  #named = 0;
  #printed: { readonly at: number; readonly exchanges: number; readonly figures: string };
  #hasStopped = false;

  /** @param report what the totals are about, and whether the report on standard output is text, which they may precede */
  constructor(
    options: FollowOptions,
    { figures, isText }: { readonly figures: FollowedFigures; readonly isText: boolean },
    terminal: Terminal,
  ) {
    this.#options = options;
    this.#totals = new Totals(figures);
    this.#printed = { at: performance.now(), exchanges: 0, figures: this.#totals.figures };
    this.#condition = options.stopWhen === undefined ? undefined : stopCondition(options.stopWhen, figures);
    this.#metrics = new FollowMetrics(figures);
    this.#terminal = terminal;
    this.#write = isText ? terminal.write : terminal.writeError;
  }

  /** Whether the condition of the user ended it. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** Replays until Ctrl-C, or until the condition of the user holds. */
  async replay(policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
    const judged = (exchange: Exchange, verdict: Verdict) => this.#judged(exchange, verdict);
    const watch = this.#watch(options.watch);
    const summary = await this.#during(() =>
      replay(policy, { ...options, reader: this.#reader, watch: { ...watch, judged } }),
    );
    return whole(summary);
  }

  /** Decides with two policies for as long. */
  async impact(policies: readonly [ComparedPolicy, ComparedPolicy], options: ImpactOptions): Promise<ImpactSummary> {
    const compared = (exchange: Exchange, both: ComparedVerdicts) => this.#compared(exchange, both);
    const watch = this.#watch(options.watch);
    return whole(await this.#during(() => impact(...policies, { ...options, reader: this.#reader, watch, compared })));
  }

  get #reader(): TrafficReader {
    return followingReader({ stop: this.#stop.signal, isFromEnd: this.#options.fromEnd === true });
  }

  #watch(watch: ReplayWatch | undefined): ReplayWatch {
    const read = (exchanges: number) => {
      this.#checkCondition();
      this.#say(BUSY_MS, QUIET_MS);
      return watch?.read?.(exchanges);
    };
    return { ...watch, read, stop: this.#stop.signal };
  }

  async #during<T>(run: () => Promise<T>): Promise<T> {
    const { metrics } = this.#options;
    const served =
      metrics === undefined ? undefined : await serveMetrics(this.#metrics.registry, readAddress('--metrics', metrics));
    if (served) printMessage(this.#terminal, `metrics are at http://${served.at}/metrics`);
    const stop = () => {
      if (this.#stop.signal.aborted) process.exit(EXIT.interrupted);
      this.#stop.abort();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const timer = setInterval(() => this.#say(BUSY_MS, QUIET_MS), BUSY_MS);
    try {
      return await run();
    } finally {
      clearInterval(timer);
      for (const signal of SIGNALS) process.off(signal, stop);
      served?.stop();
    }
  }

  /** Says the last totals. */
  finish(): void {
    this.#say(0);
    if (this.#hasStopped)
      printMessage(this.#terminal, `stopped, because \`${this.#options.stopWhen}\` holds: ${this.#totals.text}`);
  }

  /** Counts the decision on an exchange. */
  #judged(exchange: Exchange, { outcomes }: Verdict): void {
    this.#totals.exchanges++;
    this.#metrics.count(outcomes);
    if (!outcomes.some(isDenial)) return;
    const isCertain = outcomes.every(isDenial);
    this.#totals.add('denied', isCertain);
    if (isCertain) this.#name(exchange, formatOutcome(outcomes[0]!));
  }

  /** Counts the decisions of two policies on an exchange. */
  #compared(exchange: Exchange, { was, becomes, change }: ComparedVerdicts): void {
    this.#totals.exchanges++;
    this.#metrics.count(becomes.outcomes);
    if (change.parts.length === 0) return;
    this.#totals.add('changed', change.isCertain);
    if (change.isCertain) this.#metrics.changed.inc();
    if (!becomes.outcomes.some(isDenial) || was.outcomes.every(isDenial)) return;
    const isCertain = !was.outcomes.some(isDenial) && becomes.outcomes.every(isDenial);
    this.#totals.add('newly_denied', isCertain);
    if (!isCertain) return;
    this.#metrics.newlyDenied.inc();
    this.#name(exchange, `newly ${becomesText({ becomes: becomes.outcomes[0]!, parts: [] })}`);
  }

  #checkCondition(): void {
    if (this.#hasStopped || this.#condition?.(this.#totals) !== true) return;
    this.#hasStopped = true;
    this.#stop.abort();
  }

  #name(exchange: Exchange, outcome: string): void {
    const { clientIp, method, target, url } = exchange;
    const client = clientIp ?? 'a client that is not recorded';
    if (this.#clients.has(client)) return;
    if (this.#clients.size >= MAX_CLIENTS) this.#clients.clear();
    this.#clients.add(client);
    if (this.#named >= MAX_NAMED) {
      this.#unnamed++;
      return;
    }
    this.#named++;
    const request = [method, url ?? target].filter(one => one !== undefined).join(' ');
    this.#write(
      `${outcome}: ${printable(client)}${request === '' ? '' : ` ${printable(request)}`} (${printable(formatLocation(exchange.place))})\n`,
    );
  }

  /** Prints the totals if they differ from those that were printed: soon if more than the number of exchanges does. */
  #say(busyMs: number, quietMs = busyMs): void {
    const now = performance.now();
    const { exchanges, figures } = this.#totals;
    const isBusy = figures !== this.#printed.figures;
    if (now - this.#printed.at < (isBusy ? busyMs : quietMs) || (!isBusy && exchanges === this.#printed.exchanges))
      return;
    if (this.#unnamed > 0) this.#write(`and ${pluralize(this.#unnamed, 'other client')}\n`);
    [this.#unnamed, this.#named] = [0, 0];
    this.#printed = { at: now, exchanges, figures };
    this.#write(`${this.#totals.text}\n`);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Whatever ends it, a recording that is followed has no other end. */
function whole<Summary extends TrafficSummary>({ isPartial: _, ...summary }: Summary) {
  return summary;
}

/** What happened since the beginning. */
class Totals {
  exchanges = 0;
  readonly #intervals: Record<string, { least: number; most: number }>;

  constructor(figures: FollowedFigures) {
    this.#intervals = Object.fromEntries(INTERVALS[figures].map(name => [name, { least: 0, most: 0 }]));
  }

  add(name: string, isCertain: boolean): void {
    const interval = this.#intervals[name]!;
    interval.most++;
    if (isCertain) interval.least++;
  }

  get values(): Readonly<Record<string, number | Interval>> {
    return { exchanges: this.exchanges, ...this.#intervals };
  }

  /** What is counted besides exchanges, as text. */
  get figures(): string {
    const parts = Object.entries(this.#intervals);
    return parts.map(([name, interval]) => `${formatBounds(interval)} ${name.replace('_', ' ')}`).join(', ');
  }

  get text(): string {
    return `${pluralize(this.exchanges, 'exchange')}, ${this.figures}`;
  }
}

const INTERVALS = { decisions: ['denied'], changes: ['changed', 'newly_denied'] } as const;

/** Returns whether the totals say to stop. */
type StopCondition = (totals: Totals) => boolean;

const INTERVAL_TYPE = 'tollgate.Interval';

/** Compiles a condition on totals. Throws a {@link UsageError} if it has errors. */
function stopCondition(source: string, figures: FollowedFigures): StopCondition {
  const environment = createEnvironment({
    variables: [
      { name: 'exchanges', type: INT },
      ...INTERVALS[figures].map(name => ({ name, type: objectType(INTERVAL_TYPE) })),
    ],
    objects: [
      {
        name: INTERVAL_TYPE,
        fields: new Map([
          ['least', { type: INT, doc: 'Those that are certain.' }],
          ['most', { type: INT, doc: 'With those that are possible.' }],
        ]),
      },
    ],
    plainData: true,
  });
  const { ast, diagnostics } = parse(source, environment);
  const checked = check(ast, environment);
  const error = [...diagnostics, ...checked.diagnostics].find(({ severity }) => severity === 'error');
  const names = ['exchanges', ...INTERVALS[figures].flatMap(name => [`${name}.least`, `${name}.most`])];
  if (error !== undefined)
    throw new UsageError(
      `--stop-when \`${source}\`: ${error.message}; it can read ${names.map(name => `\`${name}\``).join(', ')}`,
    );
  if (checked.typed.resultType !== BOOL)
    throw new UsageError(`--stop-when \`${source}\`: expected a condition, such as \`${names[1]} > 0\``);
  const program = compileClosures(checked.typed, environment);
  return totals => program.evaluate(totals.values) === true;
}

/** The totals for Prometheus. */
class FollowMetrics {
  readonly registry = new Registry();
  readonly changed: Counter;
  readonly newlyDenied: Counter;
  readonly #decisions: Counter<'outcome'>;

  constructor(figures: FollowedFigures) {
    const registers = [this.registry];
    this.#decisions = new Counter({
      name: 'tollgate_followed_decisions_total',
      help: 'Exchanges of the recordings, by what the policy decides; `undetermined` if the recording does not show it.',
      labelNames: ['outcome'],
      registers,
    });
    const ofChanges = figures === 'changes' ? registers : [];
    this.changed = new Counter({
      name: 'tollgate_followed_changed_total',
      help: 'Exchanges that are certainly decided differently by the new policy.',
      registers: ofChanges,
    });
    this.newlyDenied = new Counter({
      name: 'tollgate_followed_newly_denied_total',
      help: 'Exchanges that certainly were not denied and are.',
      registers: ofChanges,
    });
  }

  count(outcomes: readonly Outcome[]): void {
    this.#decisions.inc({ outcome: outcomes.length === 1 ? outcomes[0]!.kind : 'undetermined' });
  }
}
