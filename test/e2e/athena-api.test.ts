import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { openAthena } from '../../packages/query/src/engines/athena.ts';
import { type AthenaResult, athenaForTests, SCANNED } from '../support/athena-stand-in.ts';

const NUMBERS: AthenaResult = {
  columns: [{ name: 'n', type: 'bigint' }],
  rows: [...Array.from({ length: 2500 }, (_, at) => [String(at)]), [null], ['']],
};

const stand = await athenaForTests(async () => NUMBERS);
const usual = { ...stand.behaviour };
for (const [name, value] of Object.entries(stand.env)) vi.stubEnv(name, value);
afterAll(async () => {
  await stand.stop();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  Object.assign(stand.behaviour, usual);
  stand.calls.length = 0;
});

async function rows(url?: string, sql = 'select n'): Promise<readonly (readonly (string | null)[])[]> {
  const session = await openAthena(url);
  const found: (readonly (string | null)[])[] = [];
  for await (const batch of session.batches(sql)) found.push(...batch);
  await session.close();
  return found;
}

it('reads all pages of a result, without the names of the columns', async () => {
  expect(await rows()).toEqual(NUMBERS.rows);
  expect(stand.calls.filter(([operation]) => operation === 'GetQueryResults').length).toBe(3);
});

it('keeps a row that is like the names of the columns', async () => {
  stand.behaviour.run = async () => ({ ...NUMBERS, rows: [['n'], ['n']] });
  expect(await rows()).toEqual([['n'], ['n']]);
});

it('names the catalog, the database, the workgroup and the place of results', async () => {
  await rows('athena://eu-central-1/lake/logs?workgroup=analysts&output=s3://results/tollgate/');
  await rows('athena:///logs');
  const starts = stand.calls.filter(([operation]) => operation === 'StartQueryExecution').map(([, input]) => input);
  expect(starts[0]).toMatchObject({
    QueryExecutionContext: { Catalog: 'lake', Database: 'logs' },
    ...{ WorkGroup: 'analysts', ResultConfiguration: { OutputLocation: 's3://results/tollgate/' } },
  });
  const { ClientRequestToken: _, ...second } = starts[1]!;
  expect(second).toEqual({ QueryString: 'select n', QueryExecutionContext: { Database: 'logs' } });
});

it('asks for the types of columns, which the API shortens', async () => {
  const types = { ip: 'varchar', request: 'row(uri varchar, headers array(row(name varchar, value varchar)))' };
  stand.behaviour.run = async sql =>
    sql.includes('typeof')
      ? { columns: [], rows: [Object.values(types)] }
      : { columns: Object.entries(types).map(([name, type]) => ({ name, type })), rows: [] };
  const session = await openAthena(undefined);
  expect(await session.describe('select * from waf')).toEqual(
    Object.entries(types).map(([name, type]) => ({ name, type })),
  );
  expect(stand.states().at(-1)![0]).toBe(
    'select typeof(described."ip"), typeof(described."request") from (values 1) as one(row) left join (select * from waf) described on false',
  );
  expect(session.scannedBytes!()).toBe(2 * SCANNED);
});

const refused =
  (name: string, message: string, status = 400) =>
  () => ({ name, message, status });

it.each([
  [
    'access is denied',
    refused(
      'AccessDeniedException',
      'User: arn:aws:iam::123456789012:user/ada is not authorized to perform: athena:StartQueryExecution',
    ),
    'Athena failed: User: arn:aws:iam::123456789012:user/ada is not authorized to perform: athena:StartQueryExecution',
  ],
  [
    'nothing says where results go',
    refused(
      'InvalidRequestException',
      'No output location provided. An output location is required either through the Workgroup result configuration setting or as an API input.',
    ),
    'Athena failed: No output location provided. An output location is required either through the Workgroup result configuration setting or as an API input; name one with `?output=s3://BUCKET/PREFIX/` in `--connect`',
  ],
  [
    'the bucket for results is missing',
    refused('InvalidRequestException', 'Unable to verify/create output bucket results'),
    'Athena failed: Unable to verify/create output bucket results',
  ],
  [
    'the workgroup is missing',
    refused('InvalidRequestException', 'WorkGroup analysts is not found.'),
    'Athena failed: WorkGroup analysts is not found.',
  ],
])('says in one line that %s', async (_, refuse, message) => {
  stand.behaviour.refuse = refuse;
  await expect(rows()).rejects.toMatchObject({ code: 'engine/query-failed', message });
});

it('says why a query failed', async () => {
  stand.behaviour.run = async () => {
    throw new Error(
      "COLUMN_NOT_FOUND: line 1:8: Column 'm' cannot be resolved or requester is not authorized to access requested resources",
    );
  };
  await expect(rows()).rejects.toMatchObject({
    message:
      "Athena failed: COLUMN_NOT_FOUND: line 1:8: Column 'm' cannot be resolved or requester is not authorized to access requested resources",
  });
});

it('tries again while an account has too many queries, and starts each once', async () => {
  let count = 0;
  stand.behaviour.refuse = operation =>
    operation === 'StartQueryExecution' && count++ < 4
      ? {
          name: 'TooManyRequestsException',
          message: 'You have exceeded the limit for the number of queries you can run concurrently.',
        }
      : undefined;
  const before = stand.states().length;
  expect((await rows()).length).toBe(NUMBERS.rows.length);
  expect([count, stand.states().length - before]).toEqual([5, 1]);
});

it('says that no credentials and no region are found', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  await expect(rows()).rejects.toMatchObject({
    code: 'engine/unreachable',
    message: 'cannot reach Athena at eu-central-1: Could not load credentials from any providers',
  });
  vi.stubEnv('AWS_ACCESS_KEY_ID', stand.env.AWS_ACCESS_KEY_ID!);
  vi.stubEnv('AWS_REGION', '');
  await expect(rows()).rejects.toMatchObject({
    message: 'cannot reach Athena at AWS: no region; name it in `--connect athena://REGION/DATABASE` or `AWS_REGION`',
  });
  vi.stubEnv('AWS_REGION', stand.env.AWS_REGION!);
});

it('refuses a query that is too long before it is sent', async () => {
  await expect(rows(undefined, `select '${'é'.repeat(131_072)}'`)).rejects.toMatchObject({
    message:
      'Athena failed: a query has 262153 bytes, and 262144 are allowed; restrict the table to fewer distinct values',
  });
  expect(stand.calls).toEqual([]);
});

it.each([
  'https://athena.eu-central-1.amazonaws.com/',
  'athena://eu-central-1/a/b/c',
  'athena://eu-central-1/?work_group=a',
  'x',
])('refuses the place `%s`', async place => {
  await expect(openAthena(place)).rejects.toMatchObject({
    message: `cannot reach Athena at ${place}: expected \`athena://REGION/DATABASE\`, with \`?workgroup=NAME\` or \`?output=s3://BUCKET/PREFIX/\` if needed`,
  });
});

it('stops a query that is canceled before the API has answered', async () => {
  stand.behaviour.run = () => new Promise(() => undefined);
  const session = await openAthena(undefined);
  const result = session.batches('select hang').next();
  const canceled = session.cancel();
  await expect(result).rejects.toMatchObject({ message: 'Athena failed: the query was canceled' });
  // The command may end now.
  expect(stand.states().at(-1)).toEqual(['select hang', 'CANCELLED']);
  await canceled;
});

it('stops no query whose rows are not read to their end, because it has ended', async () => {
  const session = await openAthena(undefined);
  for await (const _ of session.batches('select n')) break;
  expect(stand.calls.map(([operation]) => operation)).not.toContain('StopQueryExecution');
});
