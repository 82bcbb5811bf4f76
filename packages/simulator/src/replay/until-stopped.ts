/** Yields the values of a source until it ends or is stopped; then without waiting for the next one, which may never come. */
export async function* untilStopped<T>(source: AsyncIterable<T>, stop: AbortSignal | undefined): AsyncGenerator<T> {
  if (stop === undefined) {
    yield* source;
    return;
  }
  const values = source[Symbol.asyncIterator]();
  const stopped = new Promise<undefined>(resolve => {
    stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  while (!stop.aborted) {
    const next = await Promise.race([values.next(), stopped]);
    if (next === undefined || next.done) return;
    yield next.value;
  }
}
