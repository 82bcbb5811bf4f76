import { InternalError } from '@tollgate/diagnostics';
import type { ComparisonOperator, Condition, Constant, Input, Value } from '../plan/condition.ts';
import { type Leaf, leavesOf } from '../plan/leaves.ts';
import { networkSql } from './address-sql.ts';
import type { SqlDialect } from './dialects/sql-dialect.ts';
import { patternSql } from './pattern-sql.ts';

/** What conditions refer to in a query. */
export interface SqlNames {
  readonly dialect: SqlDialect;
  readonly input: (input: Input) => string;
  /** The column with the address in a value, null if it is malformed. */
  readonly address: (value: string) => string;
}

/** Returns a condition as an integer: 0 false, 1 unknown, 2 evaluation error, 3 true. */
export function conditionSql(condition: Condition, names: SqlNames): string {
  const { dialect } = names;
  const sql = (part: Condition) => conditionSql(part, names);
  switch (condition.kind) {
    case 'constant':
      return condition.value ? '3' : '0';
    case 'and':
      return least(dialect, condition.parts.map(sql));
    case 'or':
      return negated(
        least(
          dialect,
          condition.parts.map(part => negated(sql(part))),
        ),
      );
    case 'not':
      return negated(sql(condition.part));
    case 'holds':
      return `(case ${sql(condition.part)} when 3 then 3 when 1 then 1 else 0 end)`;
    case 'choice':
      return `(case ${sql(condition.test)} when 3 then ${sql(condition.yes)} when 0 then ${sql(condition.no)} when 1 then 1 else 2 end)`;
    default:
      return tested(condition, names);
  }
}

/** Returns a condition on known values as a boolean; null for an evaluation error, which `and` and `or` of SQL absorb as those of CEL do. */
export function knownConditionSql(condition: Condition, names: SqlNames): string {
  const sql = (part: Condition) => knownConditionSql(part, names);
  const joined = (parts: readonly Condition[], operator: string, none: string) =>
    parts.length === 0 ? none : `(${parts.map(sql).join(` ${operator} `)})`;
  switch (condition.kind) {
    case 'constant':
      return condition.value ? 'true' : 'false';
    case 'and':
      return joined(condition.parts, 'and', 'true');
    case 'or':
      return joined(condition.parts, 'or', 'false');
    case 'not':
      return `(not ${sql(condition.part)})`;
    case 'holds':
      return `coalesce(${sql(condition.part)}, false)`;
    case 'choice': {
      const test = sql(condition.test);
      return `(case when ${test} then ${sql(condition.yes)} when not ${test} then ${sql(condition.no)} end)`;
    }
    default:
      return `(${testSql(condition, names)})`;
  }
}

/** Returns the test of a leaf on values that are known, and no evaluation errors. */
function testSql(leaf: Exclude<Leaf, { readonly kind: 'constant' }>, names: SqlNames): string {
  const { dialect } = names;
  const sql = (value: Value) => valueSql(value, names);
  switch (leaf.kind) {
    case 'input':
      return names.input(leaf.input);
    case 'key':
      return dialect.headers.has(names.input(leaf.input), leaf.key);
    case 'comparison':
      return `${sql(leaf.value)} ${OPERATORS[leaf.operator]} ${sql(leaf.other)}`;
    case 'text':
      return dialect[leaf.operator](sql(leaf.value), sql(leaf.other));
    case 'membership': {
      const members = leaf.members.map(member => constantSql(member, dialect)).join(', ');
      return members === '' ? '1 = 0' : `${sql(leaf.value)} in (${members})`;
    }
    case 'pattern': {
      const test = patternSql(dialect, sql(leaf.value), leaf.pattern);
      if ('refused' in test) throw new InternalError('patterns without an equivalent are refused before');
      return test.sql;
    }
    case 'address':
      return `${names.address(sql(leaf.value))} is not null`;
    case 'network':
      return networkSql(names.address(sql(leaf.value)), leaf.network);
  }
}

const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  ...{ '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
};

function least(dialect: SqlDialect, parts: readonly string[]): string {
  return parts.length === 0 ? '3' : parts.length === 1 ? parts[0]! : dialect.least(parts);
}

/** Unknown and errors stay. */
function negated(sql: string): string {
  return `(case ${sql} when 0 then 3 when 3 then 0 when 1 then 1 else 2 end)`;
}

function tested(leaf: Exclude<Leaf, { readonly kind: 'constant' }>, names: SqlNames): string {
  const cases = valuesOf(leaf).flatMap(value => failures(value, names));
  if (leaf.kind === 'network') cases.push(`when ${names.address(valueSql(leaf.value, names))} is null then 2`);
  return `(case ${[...cases, `when ${testSql(leaf, names)} then 3`].join(' ')} else 0 end)`;
}

function valuesOf(leaf: Exclude<Leaf, { readonly kind: 'constant' }>): readonly Value[] {
  if (leaf.kind === 'input' || leaf.kind === 'key') return [{ kind: 'input', input: leaf.input }];
  return leaf.kind === 'comparison' || leaf.kind === 'text' ? [leaf.value, leaf.other] : [leaf.value];
}

function failures(value: Value, names: SqlNames): readonly string[] {
  if (value.kind === 'constant') return [];
  const unknown = `when ${names.input(value.input)} is null then 1`;
  return value.kind === 'element' ? [unknown, `when ${valueSql(value, names)} is null then 2`] : [unknown];
}

/** Returns the values, in SQL, that conditions read as addresses. */
export function addressesIn(
  conditions: readonly Condition[],
  names: Pick<SqlNames, 'dialect' | 'input'>,
): readonly string[] {
  const leaves = conditions.flatMap(leavesOf);
  const values = leaves.flatMap(leaf => (leaf.kind === 'address' || leaf.kind === 'network' ? [leaf.value] : []));
  return [...new Set(values.map(value => valueSql(value, names)))];
}

/** Returns a value in SQL; null if it is unknown or an evaluation error. */
function valueSql(value: Value, { dialect, input }: Pick<SqlNames, 'dialect' | 'input'>): string {
  switch (value.kind) {
    case 'constant':
      return constantSql(value.value, dialect);
    case 'input':
      return input(value.input);
    case 'size':
      return value.input.type === 'string'
        ? dialect.length(input(value.input))
        : dialect.headers.size(input(value.input));
    case 'element':
      return dialect.headers.value(input(value.input), value.key, value.position + 1);
  }
}

function constantSql(value: Constant, { text }: SqlDialect): string {
  return typeof value === 'string' ? text(value) : String(value);
}
