// What an unsafe fix changes: decisions on generated exchanges and on recorded traffic.

import { ExternalError, printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { formatCount } from '@tollgate/reports';
import {
  createSimulation,
  type Decision,
  DecisionComparer,
  type SimulationOptions,
  type SimulationRun,
} from '@tollgate/simulator';
import { type Exchange, nothingRead, type SkippedRecord } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { probeExchanges } from '../policies/probe-exchanges.ts';

/** How the decisions of two versions of a policy differ. */
export interface DecisionDifference {
  readonly tried: number;
  /** Number of exchanges that they decide differently. */
  readonly different: number;
  /** The first of these exchanges. */
  readonly shown: readonly DifferentDecision[];
  /** Inputs that both versions depend on and no exchange contains, such as the country of an address. They may hide a difference. */
  readonly unknown: readonly string[];
}

/** An exchange and its result before and after. */
interface DifferentDecision {
  readonly exchange: Exchange;
  readonly before: string;
  readonly after: string;
}

/** Two versions of a policy, neither with errors. */
export interface PolicyVersions {
  readonly before: Policy;
  readonly after: Policy;
}

/** Compares both versions on generated exchanges, each on its own. */
export function decisionDifference(versions: PolicyVersions, options: SimulationOptions): DecisionDifference {
  const [one, other] = [versions.before, versions.after].map(policy => createSimulation(policy, options));
  const tally = new DifferenceTally(versions, options);
  for (const exchange of probeExchanges([versions.before, versions.after]))
    tally.add(exchange, one!.decide(exchange), other!.decide(exchange));
  return tally;
}

/** The recorded traffic to decide. */
export interface RecordedTraffic {
  readonly files: readonly string[];
  /** Accept traffic without an exchange. */
  readonly allowEmpty: boolean;
  /** Called for files that cannot be read. */
  readonly fail: (failure: ExternalError) => void;
}

/** Compares both versions on recorded traffic, in its order. Calls `fail` for files that cannot be read to the end. */
export async function trafficDifference(
  { before, after }: PolicyVersions,
  options: SimulationOptions,
  { files, allowEmpty, fail }: RecordedTraffic,
): Promise<DecisionDifference> {
  const runs = [before, after].map((policy): SimulationRun => createSimulation(policy, options).begin());
  const tally = new DifferenceTally({ before, after }, options);
  let [skipped, isUnread] = [0, false];
  let example: SkippedRecord | undefined;
  for (const file of files) {
    try {
      for await (const batch of readTraffic(file)) {
        skipped += batch.skipped.length;
        example ??= batch.skipped[0];
        for (const exchange of batch.exchanges)
          tally.add(exchange, runs[0]!.decide(exchange), runs[1]!.decide(exchange));
      }
    } catch (error) {
      if (!(error instanceof ExternalError)) throw error;
      isUnread = true;
      fail(error);
    }
  }
  if (tally.tried === 0 && !isUnread && !allowEmpty) fail(nothingRead({ files, skipped, example }));
  return tally;
}

/** Maximum number of exchanges to show. */
const MAX_SHOWN = 5;

class DifferenceTally implements DecisionDifference {
  tried = 0;
  different = 0;
  readonly shown: DifferentDecision[] = [];
  readonly #comparer: DecisionComparer;
  readonly #unknown = new Set<string>();

  constructor({ before, after }: PolicyVersions, { profile }: SimulationOptions) {
    this.#comparer = new DecisionComparer({ policy: before, profile }, { policy: after, profile });
  }

  get unknown(): readonly string[] {
    return [...this.#unknown];
  }

  add(exchange: Exchange, was: Decision, is: Decision): void {
    this.tried++;
    if (!this.#comparer.ofDecisions(was, is).isCertain) {
      for (const need of is.needs) this.#unknown.add(need);
      return;
    }
    this.different++;
    const [before, after] = [endsOf(was), endsOf(is)];
    const isShown = this.shown.some(
      one => isSame(one.exchange, exchange) && one.before === before && one.after === after,
    );
    if (this.shown.length < MAX_SHOWN && !isShown) this.shown.push({ exchange, before, after });
  }
}

/** Returns true if a reader can distinguish the two exchanges. */
function isSame(a: Exchange, b: Exchange): boolean {
  return a.method === b.method && a.url === b.url && a.target === b.target;
}

function endsOf({ outcomes }: Decision): string {
  return outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`)).join(' or ');
}

/** Maximum number of names to list. */
const MAX_NAMES = 8;

/** Returns a summary: how many decisions differ, and some of them. `what` is `made-up` or `recorded`. */
export function differenceText(
  { tried, different, shown, unknown }: DecisionDifference,
  { name, what }: { readonly name: string; readonly what: 'made-up' | 'recorded' },
): string {
  const hidden = unknown.length === 0 ? '' : `; the recording lacks ${listed(unknown)}`;
  const all = `${formatCount(tried)} ${what} exchanges`;
  if (different === 0) return `${name}: the fixes change no decision on ${all}${hidden}\n`;
  const lines = shown.map(({ exchange, before, after }) => {
    const becomes = before === after ? `${before}, with different contents` : `${before}, now ${after}`;
    return `  ${exchange.method ?? '?'} ${printable(exchange.url ?? exchange.target ?? '')}: ${becomes}\n`;
  });
  const rest = different > shown.length ? `  and ${formatCount(different - shown.length)} more\n` : '';
  return `${name}: the fixes change the decision on ${formatCount(different)} of ${all}${hidden}\n${lines.join('')}${rest}`;
}

function listed(names: readonly string[]): string {
  const rest = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).map(printable).join(', ')}${rest}`;
}
