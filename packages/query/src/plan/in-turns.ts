import { setImmediate as nextTurn } from 'node:timers/promises';

/** Deciding or counting so many groups takes a few milliseconds. */
const AT_ONCE = 2048;

/** Yields a list in parts. Between them, the process handles signals, and `stop` ends the work with its reason. */
export async function* inTurns<Item>(
  items: readonly Item[],
  stop: AbortSignal | undefined,
): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    stop?.throwIfAborted();
    yield items.slice(at, at + AT_ONCE);
  }
}
