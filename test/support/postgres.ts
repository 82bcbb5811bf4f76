import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startTemporaryPostgres } from '../../scripts/postgres/temporary-postgres.ts';

/** A PostgreSQL server for the tests of one file. */
interface TestPostgres {
  /** Makes an empty database and gives its URL. */
  readonly newDatabase: () => Promise<string>;
  /** Restarts the server; undefined for one that the environment names. */
  readonly restart: (() => Promise<void>) | undefined;
  readonly stop: () => void;
}

/** The server that `TOLLGATE_TEST_POSTGRES` names, or one that is started; undefined where PostgreSQL is not installed. */
export async function postgresForTests(): Promise<TestPostgres | undefined> {
  const given = process.env.TOLLGATE_TEST_POSTGRES;
  const server =
    given === undefined ? await startTemporaryPostgres() : { url: given, restart: undefined, stop: () => undefined };
  return server && { newDatabase: () => newDatabase(server.url), restart: server.restart, stop: server.stop };
}

async function newDatabase(server: string): Promise<string> {
  const name = `tollgate_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
