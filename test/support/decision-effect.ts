import { Unknown } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import type { Decision } from '@tollgate/simulator';

const BY_EDGE: ReadonlySet<string> = new Set(['answered', 'denied', 'failed', 'redirected', 'refused', 'replaced']);

/**
 * Returns what client, upstream, other servers and the log get by a decision, written without the comparison of the simulator; undefined if some of
 * it is not known. Equal texts are the same decision, others are not, in one profile.
 */
export function effectOf({ outcomes, upstream, response, counters, rules }: Decision): string | undefined {
  let isKnown = outcomes.length === 1 && rules.every(({ status }) => status !== 'undetermined');
  const { kind } = outcomes[0]!;
  const isMade = BY_EDGE.has(kind);
  // What the upstream responds depends on what it receives, and on nothing else.
  const answer = response && isMade && [response.status, response.headers, response.body];
  const changed = response && !isMade && [response.headers, response.changes.bodies];
  const { url, headers, changes } = upstream.request;
  const asked = upstream.isAsked === true ? [url, headers, changes.bodies] : upstream.isAsked;
  const notes = rules.flatMap(rule => (rule.status === 'matched' ? rule.actions.flatMap(one => one.notes) : []));
  const told = notes.filter(note => note.kind === 'sent' || note.kind === 'logged');
  if (upstream.isAsked === undefined) isKnown = false;
  for (const map of [isMade ? undefined : response?.headers, upstream.isAsked ? headers : undefined]) {
    if (wholeOf(map) !== undefined) isKnown = false;
  }
  const text = JSON.stringify(
    [isMade, kind === 'closed', answer, changed, asked, told, counters],
    (_, value: unknown) => {
      if (value instanceof Unknown) isKnown = false;
      return typeof value === 'bigint' ? `${value}` : value;
    },
  );
  return isKnown ? text : undefined;
}
