import type { EngineSession } from '../../packages/query/src/engines/engine.ts';
import { openSpark } from '../../packages/query/src/engines/spark.ts';
import { openTrino } from '../../packages/query/src/engines/trino.ts';

/** An engine that runs outside the tests. */
export interface ConnectedEngine {
  readonly url: string;
  readonly session: EngineSession;
  readonly run: (sql: string) => Promise<readonly (readonly (string | null)[])[]>;
  readonly stop: () => Promise<void>;
}

/** The coordinator that `TOLLGATE_TEST_TRINO` names, with a catalog and schema to write to; undefined without one. */
export function trinoForTests(): Promise<ConnectedEngine | undefined> {
  return connected(process.env.TOLLGATE_TEST_TRINO, openTrino);
}

/**
 * The Thrift server that `TOLLGATE_TEST_SPARK` names; undefined without one. For random policies on few rows, it is started so that it does not compile
 * queries: `--conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN --conf spark.sql.shuffle.partitions=1 --conf
 * spark.sql.adaptive.enabled=false`.
 */
export function sparkForTests(): Promise<ConnectedEngine | undefined> {
  return connected(process.env.TOLLGATE_TEST_SPARK, openSpark);
}

async function connected(
  url: string | undefined,
  open: (url: string) => Promise<EngineSession>,
): Promise<ConnectedEngine | undefined> {
  if (url === undefined) return undefined;
  const session = await open(url);
  const run = async (sql: string) => {
    const found: (readonly (string | null)[])[] = [];
    for await (const rows of session.batches(sql)) found.push(...rows);
    return found;
  };
  return { url, session, run, stop: () => session.close() };
}
