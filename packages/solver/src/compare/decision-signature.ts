import { Unknown } from '@tollgate/cel';
import { type Decision, loggedBy } from '@tollgate/simulator';

/** Returns a string that is equal for decisions with the same effect on client, upstream and log, as far as the simulator knows it. */
export function decisionSignature(decision: Decision): string {
  const { outcomes, needs, upstream, response, passesStatus } = decision;
  const { method, url, headers } = upstream.request;
  return JSON.stringify(
    {
      outcomes: outcomes.map(({ kind, status }) => [kind, status]),
      needs,
      upstream: upstream.isAsked === false ? undefined : [upstream.isAsked, method, url, headers],
      response: response && [response.status, response.headers, response.body],
      passesStatus,
      logged: loggedBy(decision),
    },
    (_, value: unknown) => {
      if (value instanceof Unknown) return { unknown: value.attributes };
      return typeof value === 'bigint' ? `${value}` : value;
    },
  );
}

/** As {@link decisionSignature}, for policies of two profiles, which write headers in different ways. */
export function outcomeSignature({ outcomes, upstream }: Decision): string {
  const { method, url } = upstream.request;
  const ends = outcomes.map(({ kind, status }) => `${kind} ${status}`).toSorted();
  return JSON.stringify([ends, upstream.isAsked, upstream.isAsked === false ? '' : `${String(method)} ${String(url)}`]);
}
