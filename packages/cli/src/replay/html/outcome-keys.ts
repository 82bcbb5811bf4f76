import type { PolicySummary } from '@tollgate/simulator';
import { type Html, html } from '../../text/html.ts';
import { formatOutcome } from '../result/outcome-text.ts';
import { DIMENSIONS } from '../result/replay-result.ts';
import { keyList } from './key-list.ts';

/** Renders the clients, paths and countries of each outcome other than passing; nothing if there are none. */
export function outcomeKeys({ breakdown }: PolicySummary): Html | undefined {
  const blocks = (breakdown?.outcomes ?? []).flatMap(({ outcome, keys }) => {
    const lists = DIMENSIONS.flatMap(dimension => keyList(dimension, keys[dimension]) ?? []);
    return lists.length === 0 ? [] : html`<h4>${formatOutcome(outcome)}</h4><div class="keys">${lists}</div>`;
  });
  return blocks.length === 0 ? undefined : html`<section class="affected"><h3>Who is affected</h3>${blocks}</section>`;
}
