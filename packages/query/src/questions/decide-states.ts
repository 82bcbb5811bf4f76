/** The verdicts on groups of exchanges with the same answers: few exchanges have to be decided for them. */
import type { LeafCombination } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { UnsupportedHeadersError } from '../recordings/column-record.ts';
import { type AskingContext, type Decided, decisiveInputs, Growth, judgeByValue } from './run-context.ts';
import { inTurns } from './turns.ts';

/** More groups that differ in the values of their exchanges are not worth it. */
export const MAX_BY_VALUE = 200_000;

/** A group, and one of its exchanges, to which the record was moved. */
export interface GroupExample<Group> {
  readonly group: Group;
  readonly exchange: Exchange;
}

interface StateGroups<Group, Found> {
  readonly groups: readonly Group[];
  readonly combination: Pick<LeafCombination<Found>, 'verdictOf'>;
  /** Yields an exchange of each of some groups. */
  readonly examplesOf: (groups: readonly Group[]) => AsyncIterable<GroupExample<Group>>;
  readonly stop?: AbortSignal | undefined;
}

/** Returns the verdicts by state; `varied` where they depend on more. */
export async function verdictsOf<Group extends { readonly state: number }, Found extends Decided>(
  { record }: Pick<AskingContext, 'record'>,
  { groups, combination: { verdictOf }, examplesOf, stop }: StateGroups<Group, Found>,
): Promise<ReadonlyMap<number, Found | 'varied'>> {
  const verdicts = new Map<number, Found | 'varied'>();
  for (;;) {
    const needed = new Map<string, Group>();
    for await (const part of inTurns(groups, stop)) {
      for (const group of part) {
        if (verdicts.has(group.state)) continue;
        const found = verdictOf(group.state);
        if (typeof found === 'string' || !('need' in found)) verdicts.set(group.state, found as Found | 'varied');
        else if (!needed.has(found.need)) needed.set(found.need, group);
      }
    }
    if (needed.size === 0) return verdicts;
    for await (const { group, exchange } of examplesOf([...needed.values()])) {
      const verdict = record.watch(new Set(), () => verdictOf(group.state, exchange), new Set());
      verdicts.set(group.state, verdict as Found | 'varied');
    }
  }
}

/** Decides the exchange to which the record was moved. Throws {@link Growth} if that reads what is not loaded. */
export function decideExchange<Found extends Decided>(
  context: AskingContext<Found> & { readonly loaded: readonly number[] },
  exchange: Exchange,
): Found {
  const allRead = new Set<string>();
  const verdict = judgeByValue(context, exchange, allRead);
  const [object] = allRead;
  if (object !== undefined) throw new UnsupportedHeadersError(`actions depend on all headers in \`${object}\``);
  const { judgeReads, loaded, constant } = context;
  const isKnown = (input: number) => loaded.includes(input) || constant.has(input);
  if (!decisiveInputs(context, judgeReads).every(isKnown)) throw new Growth();
  return verdict;
}
