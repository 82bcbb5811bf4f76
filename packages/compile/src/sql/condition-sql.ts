import { InternalError } from '@tollgate/diagnostics';
import type { ComparisonOperator, Condition, Constant, Input, Value } from '../plan/condition.ts';
import { leavesOf } from '../plan/leaves.ts';
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
    case 'input':
      return tested([{ kind: 'input', input: condition.input }], names, names.input(condition.input));
    case 'key': {
      const value = { kind: 'input', input: condition.input } as const;
      return tested([value], names, dialect.headers.has(names.input(condition.input), condition.key));
    }
    case 'comparison':
    case 'text':
      return tested([condition.value, condition.other], names, binarySql(condition, names));
    case 'membership': {
      const members = condition.members.map(member => constantSql(member, dialect)).join(', ');
      const test = members === '' ? '1 = 0' : `${valueSql(condition.value, names)} in (${members})`;
      return tested([condition.value], names, test);
    }
    case 'pattern': {
      const test = patternSql(dialect, valueSql(condition.value, names), condition.pattern);
      if ('refused' in test) throw new InternalError('patterns without an equivalent are refused before');
      return tested([condition.value], names, test.sql);
    }
    case 'address':
      return tested([condition.value], names, `${addressOf(condition.value, names)} is not null`);
    case 'network': {
      const address = addressOf(condition.value, names);
      const failed = `when ${address} is null then 2`;
      return tested([condition.value], names, networkSql(address, condition.network), failed);
    }
  }
}

const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  ...{ '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
};

function binarySql(condition: Extract<Condition, { readonly kind: 'comparison' | 'text' }>, names: SqlNames): string {
  const { dialect } = names;
  const [value, other] = [condition.value, condition.other].map(one => valueSql(one, names)) as [string, string];
  if (condition.kind === 'text') return dialect[condition.operator](value, other);
  return `${value} ${OPERATORS[condition.operator]} ${other}`;
}

function addressOf(value: Value, names: SqlNames): string {
  return names.address(valueSql(value, names));
}

function least(dialect: SqlDialect, parts: readonly string[]): string {
  return parts.length === 0 ? '3' : parts.length === 1 ? parts[0]! : dialect.least(parts);
}

/** Unknown and errors stay. */
function negated(sql: string): string {
  return `(case ${sql} when 0 then 3 when 3 then 0 when 1 then 1 else 2 end)`;
}

function tested(values: readonly Value[], names: SqlNames, test: string, failed = ''): string {
  const cases = values.flatMap(value => failures(value, names));
  return `(case ${[...cases, ...(failed === '' ? [] : [failed])].join(' ')} when ${test} then 3 else 0 end)`;
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
