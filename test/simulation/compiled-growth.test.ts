import { DuckDBInstance } from '@duckdb/node-api';
import { EDGE_V2 } from '@tollgate/catalog';
import { planPolicy, SQL_DIALECTS, type SqlDialectName, sqlQuery } from '@tollgate/compile';
import { expect, it } from 'vitest';
import { caseContext, policyOf } from './decision-cases.ts';

const context = caseContext(EDGE_V2);

/** Conditions with so many operators inside each other, next to a range of addresses. */
const NESTED: Readonly<Record<string, (depth: number) => string>> = {
  'disjunctions and conjunctions': depth =>
    Array.from({ length: depth }).reduce<string>(
      (inner, _, at) => `(${inner} ${at % 2 === 0 ? '||' : '&&'} req.Path.startsWith('/${at}'))`,
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
    ),
  negations: depth =>
    Array.from({ length: depth }).reduce<string>(
      (inner, _, at) => `!(${inner} && req.Path != '/${at}')`,
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
    ),
  choices: depth =>
    Array.from({ length: depth }).reduce<string>(
      (inner, _, at) => `(${inner} ? req.Path == '/${at}' : req.Method == 'M${at}')`,
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
    ),
};

function queryFor(expression: string, dialect: SqlDialectName): string {
  const document = { inbound: [{ expressions: [expression], actions: [{ type: 'deny' }] }] };
  const result = planPolicy(policyOf(document, context)!, context);
  if ('unsupported' in result) throw new Error(result.unsupported.construct);
  const query = sqlQuery(result.plan, { dialect, table: 'traffic' });
  if ('unsupported' in query) throw new Error(query.unsupported.construct);
  return query.code;
}

const CASES = Object.keys(NESTED).flatMap(kind => SQL_DIALECTS.map(dialect => [kind, dialect] as const));

it.each(CASES)('the text of nested %s in %s grows with their number', (kind, dialect) => {
  const [few, some, many] = [8, 16, 32].map(depth => queryFor(NESTED[kind]!(depth), dialect).length) as [
    number,
    number,
    number,
  ];
  expect(many - some).toBeLessThan(2.5 * (some - few));
});

it.each(CASES)('the SQL of nested %s in %s has no operand of a `case` that engines would copy', (kind, dialect) => {
  expect(queryFor(NESTED[kind]!(8), dialect)).not.toMatch(
    /case (?!when\b|tollgate_\w+ |[\w(]*tollgate_outcomes|family\()/,
  );
});

it.each(Object.keys(NESTED))('DuckDB runs %s with thirty levels', async kind => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('create table traffic(conn_clientip varchar, req_path varchar, req_method varchar)');
  await connection.run("insert into traffic values ('10.0.0.1', '/1', 'GET')");
  const rows = await connection.runAndReadAll(queryFor(NESTED[kind]!(30), 'duckdb'));
  connection.closeSync();
  expect(rows.currentRowCount).toBe(1);
});
