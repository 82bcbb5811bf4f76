/** Opens engines, and ends what takes too long: a connection or a proxy that stops answering must not keep a command waiting. */
import { openAthena } from './athena.ts';
import { openClickhouse } from './clickhouse.ts';
import { type EngineRow, type EngineSession, queryFailed } from './engine.ts';
import { openPostgres } from './postgres.ts';
import { openSpark } from './spark.ts';
import { openTrino } from './trino.ts';

/** The engines that hold traffic in tables. */
export const TABLE_ENGINES = ['athena', 'clickhouse', 'postgres', 'spark', 'trino'] as const;

/** One of {@link TABLE_ENGINES}. */
export type TableEngine = (typeof TABLE_ENGINES)[number];

/** Where an engine is, and how long it may take. */
export interface EnginePlace {
  readonly engine: TableEngine;
  /** By default what the environment variables of the engine say. */
  readonly url?: string | undefined;
  /** In s, until a query has its first rows, and then the next ones. */
  readonly queryTimeout?: number | undefined;
  /** Whether the session writes a table. */
  readonly mayWrite?: boolean;
  /** Is told where a person logs in, if the engine wants that; by default, nobody is there. */
  readonly onLogin?: ((place: string) => void) | undefined;
}

type Open = (
  url: string | undefined,
  ended: AbortSignal,
  how: Pick<EnginePlace, 'mayWrite' | 'onLogin'>,
) => Promise<EngineSession>;

const ENGINES: Readonly<Record<TableEngine, { readonly product: string; readonly open: Open }>> = {
  athena: { product: 'Athena', open: openAthena },
  clickhouse: { product: 'ClickHouse', open: openClickhouse },
  postgres: { product: 'PostgreSQL', open: openPostgres },
  spark: { product: 'Spark', open: openSpark },
  trino: { product: 'Trino', open: openTrino },
};

/** In s. */
const DEFAULT_QUERY_TIMEOUT = 3600;

/** How long an engine may take to cancel a query or to close a session, in ms. */
const GRACE_MS = 5000;

/** Connects to an engine. Throws an `ExternalError` if that fails. After the stop, the running query is canceled and no other one begins. */
export async function openEngine(
  { engine, url, queryTimeout = DEFAULT_QUERY_TIMEOUT, ...how }: EnginePlace,
  stop: AbortSignal | undefined,
): Promise<EngineSession> {
  const { product, open } = ENGINES[engine];
  const ended = new AbortController();
  const end = () => ended.abort();
  let session: EngineSession | undefined;
  const cancel = async () => {
    await inTime(session?.cancel());
    end();
  };
  const limited = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    let isLate = false;
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new Error('the connection was given up'));
    ended.signal.addEventListener('abort', giveUp, { once: true });
    const timer = setTimeout(() => {
      isLate = true;
      void cancel();
    }, queryTimeout * 1000);
    try {
      return await Promise.race([call(), givenUp]);
    } catch (error) {
      throw isLate ? queryFailed(product, noAnswer(queryTimeout), error) : error;
    } finally {
      clearTimeout(timer);
      ended.signal.removeEventListener('abort', giveUp);
    }
  };
  const onStop = () => void cancel();
  stop?.addEventListener('abort', onStop, { once: true });
  const release = () => stop?.removeEventListener('abort', onStop);
  try {
    session = await limited(() => open(url, ended.signal, how));
  } catch (error) {
    release();
    end();
    throw error;
  }
  const { dialect, describe, batches, run, commit, close, scannedBytes, longestQuery } = session;
  return {
    ...{ dialect, cancel, longestQuery, ...(scannedBytes && { scannedBytes }) },
    describe: sql => limited(() => describe(sql)),
    ...(run && {
      run: async (sql: string) => {
        stop?.throwIfAborted();
        await limited(() => run(sql));
      },
    }),
    ...(commit && { commit: () => limited(commit) }),
    batches: async function* (sql: string) {
      stop?.throwIfAborted();
      const rows: AsyncGenerator<readonly EngineRow[]> = batches(sql);
      try {
        for (;;) {
          const next = await limited(() => rows.next());
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // One that waits for an answer would not return.
        if (!ended.signal.aborted) await limited(() => rows.return(undefined));
      }
    },
    close: async () => {
      release();
      const closed = inTime(close());
      if (!ended.signal.aborted) await closed;
      end();
    },
  };
}

function noAnswer(seconds: number): string {
  return `no answer within ${seconds} s; \`--query-timeout\` allows more`;
}

/** Waits until a call has ended, however, but not for long. */
async function inTime(call: Promise<void> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([call?.catch(() => undefined), late]);
  clearTimeout(timer);
}
