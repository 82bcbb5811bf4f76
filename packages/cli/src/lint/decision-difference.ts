import { printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { createSimulation, type Decision, type SimulationOptions } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { probeExchanges } from './probe-exchanges.ts';

/** How two versions of a policy decide. */
export interface DecisionDifference {
  readonly tried: number;
  /** Exchanges that they decide in different ways, each with what becomes of it. */
  readonly different: readonly { readonly exchange: Exchange; readonly before: string; readonly after: string }[];
  /** What both hang on that no exchange holds, such as the country of an address: there a difference may be hidden. */
  readonly unknown: readonly string[];
}

/** Runs two versions of a policy without errors on made-up exchanges. */
export function decisionDifference(before: Policy, after: Policy, options: SimulationOptions): DecisionDifference {
  const one = createSimulation(before, options);
  const other = createSimulation(after, options);
  const exchanges = probeExchanges([before, after]);
  const unknown = new Set<string>();
  const different = exchanges.flatMap(exchange => {
    const [was, is] = [one.decide(exchange), other.decide(exchange)];
    const [before, after] = [said(was), said(is)];
    if (before !== after) return [{ exchange, before, after }];
    for (const need of is.needs) unknown.add(need);
    return [];
  });
  return { tried: exchanges.length, different, unknown: [...unknown] };
}

/** What becomes of an exchange: its outcome, what the upstream gets and what the client does. */
function said({ outcomes, upstream, response }: Decision): string {
  const ends = outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`)).join(' or ');
  const url = upstream.isAsked === false ? '' : ` ${JSON.stringify(upstream.request)}`;
  return `${ends}|${url}|${JSON.stringify(response)}`;
}

/** Exchanges that are shown. */
const SHOWN = 5;

/** What changes for people: how many decisions, and some of them. */
export function differenceText({ tried, different, unknown }: DecisionDifference, name: string): string {
  const hidden = unknown.length === 0 ? '' : `; not seen is what hangs on ${unknown.map(printable).join(', ')}`;
  if (different.length === 0) return `${name}: none of ${tried} made-up exchanges is decided in another way${hidden}\n`;
  const lines = different.slice(0, SHOWN).map(({ exchange, before, after }) => {
    const ends = [before, after].map(one => one.slice(0, one.indexOf('|')));
    const what = ends[0] === ends[1] ? `${ends[0]}, with other contents` : `${ends[0]}, now ${ends[1]}`;
    return `  ${exchange.method} ${printable(exchange.url ?? '')}: ${what}\n`;
  });
  const rest = different.length > SHOWN ? `  and ${different.length - SHOWN} more\n` : '';
  return `${name}: ${different.length} of ${tried} made-up exchanges are decided in another way${hidden}\n${lines.join('')}${rest}`;
}
