import { InternalError } from '@tollgate/diagnostics';
import type { ComparisonOperator, Condition, Constant, Input, Value } from '../plan/condition.ts';
import { findUnsupported } from '../plan/find-condition.ts';
import type { PolicyPlan, UnsupportedConstruct } from '../plan/lower-policy.ts';

/** Names in a query. */
export interface SqlOptions {
  /** The table or expression to read from, as SQL. */
  readonly table: string;
  /** SQL of inputs by path; by default a column with the path in lower case and underscores, such as `req_path`. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** A query, or the first construct that SQL does not express exactly. */
export type SqlResult = { readonly code: string } | { readonly unsupported: UnsupportedConstruct };

/**
 * Returns a query in the dialect of DuckDB that adds a decision to each row: `outcome`, `status`, `action` and `rule`, and all possible
 * `outcomes` where an input that decides is null, which means unknown; the others are then null. Headers are `MAP(VARCHAR, VARCHAR[])`.
 *
 * Conditions are numbers: 0 false, 1 unknown, 2 evaluation error, 3 true. So the conjunction of CEL, in which false prevails over unknown,
 * unknown over errors, and errors over true, is the least of them.
 */
export function duckdbQuery({ rules, inputs }: PolicyPlan, { table, columns = {} }: SqlOptions): SqlResult {
  // The engine has no type of addresses without an extension.
  const unsupported = findUnsupported(rules, condition =>
    condition.kind === 'address' || condition.kind === 'network'
      ? { construct: 'address range', range: condition.range }
      : undefined,
  );
  if (unsupported !== undefined) return { unsupported };
  const names = new Map(inputs.map(({ path }) => [path, columns[path] ?? defaultColumn(path)]));
  const nameOf = (input: Input) => names.get(input.path)!;
  const results = rules.map(({ conditions }) => conditionSql({ kind: 'and', parts: conditions }, nameOf));
  const outcomes = rules.map(
    ({ outcome, label }) =>
      `{'outcome': ${text(outcome.kind)}, 'status': ${outcome.status ?? 'null'}::integer, 'action': ${text(outcome.action ?? '')}, 'rule': ${text(label)}}`,
  );
  const passed = `{'outcome': 'passed', 'status': null::integer, 'action': '', 'rule': ''}`;
  const list = (items: readonly string[], type: string) =>
    items.length === 0 ? `[]::${type}[]` : `[\n    ${items.join(',\n    ')}\n  ]`;
  const code = `with tested as (
  select *, ${list(results, 'integer')} as "tollgate results"
  from ${table}
), decided as (
  select * exclude ("tollgate results"), list_filter(
    list_append(${list(outcomes, DECISION)}, ${passed}),
    (_, i) -> (i > len("tollgate results") or "tollgate results"[i] in (1, 3))
      and not list_contains("tollgate results"[1:i - 1], 3)
  ) as "tollgate decisions"
  from tested
)
select * exclude ("tollgate decisions"),
  case when ${CERTAIN} then "tollgate decisions"[1].outcome end as outcome,
  case when ${CERTAIN} then "tollgate decisions"[1].status end as status,
  case when ${CERTAIN} then "tollgate decisions"[1].action end as action,
  case when len("tollgate decisions") = 1 then "tollgate decisions"[1].rule end as rule,
  list_distinct(${KEYS}) as outcomes
from decided
`;
  return { code };
}

const DECISION = 'struct(outcome varchar, status integer, action varchar, rule varchar)';
const KEYS = `list_transform("tollgate decisions", d -> concat_ws(' ', d.outcome, d.status, d.action))`;
/** Different rules may have the same outcome. */
const CERTAIN = `len(list_distinct(${KEYS})) = 1`;

/** Returns the name of a column: `req_path` for `req.Path`. */
function defaultColumn(path: string): string {
  return `"${path.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()}"`;
}

type NameOf = (input: Input) => string;

function conditionSql(condition: Condition, nameOf: NameOf): string {
  const sql = (part: Condition) => conditionSql(part, nameOf);
  switch (condition.kind) {
    case 'constant':
      return condition.value ? '3' : '0';
    case 'and':
      return least(condition.parts.map(sql));
    case 'or':
      return negated(least(condition.parts.map(part => negated(sql(part)))));
    case 'not':
      return negated(sql(condition.part));
    case 'choice':
      return `(case ${sql(condition.test)} when 3 then ${sql(condition.yes)} when 0 then ${sql(condition.no)} when 1 then 1 else 2 end)`;
    case 'input':
      return tested({ kind: 'input', input: condition.input }, nameOf, nameOf(condition.input));
    case 'key':
      return tested(
        { kind: 'input', input: condition.input },
        nameOf,
        `map_contains(${nameOf(condition.input)}, ${text(condition.key)})`,
      );
    case 'comparison':
      return testedBoth(
        condition,
        nameOf,
        `${valueSql(condition.value, nameOf)} ${OPERATORS[condition.operator]} ${valueSql(condition.other, nameOf)}`,
      );
    case 'text':
      return testedBoth(
        condition,
        nameOf,
        `${FUNCTIONS[condition.operator]}(${valueSql(condition.value, nameOf)}, ${valueSql(condition.other, nameOf)})`,
      );
    case 'membership': {
      const members = condition.members.map(constantSql).join(', ');
      return tested(
        condition.value,
        nameOf,
        members === '' ? 'false' : `${valueSql(condition.value, nameOf)} in (${members})`,
      );
    }
    case 'address':
    case 'network':
      throw new InternalError('address ranges are refused before');
    case 'pattern':
      return tested(
        condition.value,
        nameOf,
        `regexp_matches(${valueSql(condition.value, nameOf)}, ${text(condition.pattern)})`,
      );
  }
}

const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  '==': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const FUNCTIONS = { startsWith: 'starts_with', endsWith: 'ends_with', contains: 'contains' } as const;

function least(parts: readonly string[]): string {
  return parts.length === 0 ? '3' : parts.length === 1 ? parts[0]! : `least(${parts.join(', ')})`;
}

/** Unknown and errors stay. */
function negated(sql: string): string {
  return `(case ${sql} when 0 then 3 when 3 then 0 when 1 then 1 else 2 end)`;
}

function testedBoth(
  { value, other }: { readonly value: Value; readonly other: Value },
  nameOf: NameOf,
  test: string,
): string {
  const cases = [value, other].flatMap(one => failures(one, nameOf));
  return `(case ${[...cases, `when ${test} then 3`].join(' ')} else 0 end)`;
}

function tested(value: Value, nameOf: NameOf, test: string): string {
  return `(case ${[...failures(value, nameOf), `when ${test} then 3`].join(' ')} else 0 end)`;
}

function failures(value: Value, nameOf: NameOf): readonly string[] {
  if (value.kind === 'constant') return [];
  const unknown = `when ${nameOf(value.input)} is null then 1`;
  return value.kind !== 'element' ? [unknown] : [unknown, `when ${valueSql(value, nameOf)} is null then 2`];
}

function valueSql(value: Value, nameOf: NameOf): string {
  switch (value.kind) {
    case 'constant':
      return constantSql(value.value);
    case 'input':
      return nameOf(value.input);
    case 'size':
      return `${value.input.type === 'string' ? 'length' : 'cardinality'}(${nameOf(value.input)})`;
    case 'element':
      return `${nameOf(value.input)}[${text(value.key)}][${value.position + 1}]`;
  }
}

function constantSql(value: Constant): string {
  return typeof value === 'string' ? text(value) : String(value);
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
