/** A plan as a query or view over a table of requests, whose stages compute inputs, conditions and decisions. */
import type { Input } from './condition.ts';
import {
  endingCondition,
  findUnsupported,
  type PlannedRule,
  type PolicyPlan,
  type UnsupportedConstruct,
} from './plan-policy.ts';
import {
  addressesIn,
  addressStages,
  canonicalAddressSql,
  canonicalHeadersSql,
  conditionSql,
  listed,
  type SqlNames,
  type Stage,
} from './sql-conditions.ts';
import { DIALECTS, type SqlDialect, type SqlDialectName } from './sql-dialects.ts';
import { patternSql } from './sql-patterns.ts';

/** All dialects. */
export const SQL_DIALECTS = Object.keys(DIALECTS) as readonly SqlDialectName[];

/** Names in a query. */
export interface SqlOptions {
  readonly dialect: SqlDialectName;
  /** The table to read from, or a query in parentheses, as SQL. */
  readonly table: string;
  /** SQL of inputs by path; by default a column with the path in lower case and underscores, such as `req_path`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The view to create or replace; otherwise the result is a query. */
  readonly view?: string | undefined;
}

/** A query, or the first construct that the dialect does not express exactly. */
export type SqlResult = { readonly code: string } | { readonly unsupported: UnsupportedConstruct };

/** The name of a product, and the type of a column with headers in its SQL: a map from names to lists, or such JSON. */
export function sqlDialectFacts(dialect: SqlDialectName): Pick<SqlDialect, 'product' | 'headerType'> {
  return DIALECTS[dialect];
}

/**
 * Returns a query that adds a decision to each row: `decision_outcome`, `decision_status`, `decision_action` and `decision_rule`, and the list
 * of all possible `decision_outcomes` where an input that decides is null, which means unknown; the others are then null.
 *
 * Conditions are numbers: 0 false, 1 unknown, 2 evaluation error, 3 true. So the conjunction of CEL, in which false prevails over unknown,
 * unknown over errors, and errors over true, is the least of them.
 */
export function sqlQuery(plan: PolicyPlan, options: SqlOptions): SqlResult {
  const dialect = DIALECTS[options.dialect];
  const unsupported = unsupportedPattern(plan.rules, dialect);
  if (unsupported !== undefined) return { unsupported };
  const inputs = new Map(plan.inputs.map(({ path }, at) => [path, `tollgate_i${at + 1}`]));
  const input = ({ path }: Input) => inputs.get(path)!;
  const addresses = addressesIn(plan.rules.map(endingCondition), { dialect, input });
  const address = (value: string) => `tollgate_a${addresses.indexOf(value) + 1}`;
  const stages = [
    ...inputStages(plan, options),
    ...addressStages(dialect, addresses),
    ...decisionStages(plan.rules, { dialect, input, address }),
  ].filter(stage => stage.length > 0);
  const decision = decisionColumns(plan.rules, dialect);
  const query = dialect.allBut
    ? chained([...stages, decision], options.table, dialect.allBut)
    : lateral([...stages, decision], options.table, dialect.lateralEnd);
  return { code: options.view === undefined ? query : `create or replace view ${options.view} as\n${query}` };
}

function unsupportedPattern(rules: readonly PlannedRule[], dialect: SqlDialect): UnsupportedConstruct | undefined {
  const { product } = dialect;
  return findUnsupported(rules, leaf => {
    if (leaf.kind !== 'pattern') return undefined;
    const found = patternSql(dialect, '', leaf.pattern);
    if ('sql' in found) return undefined;
    const { why, remedy } = REFUSALS[found.refused];
    return { construct: `pattern \`${leaf.pattern}\` ${why} ${product}`, range: leaf.range, remedy };
  });
}

const REFUSALS = {
  unicode: {
    why: 'with characters that depend on the version of Unicode in',
    remedy: 'list the characters, such as `[äöüÄÖÜ]`',
  },
  backtracking: {
    why: 'that may take exponential time in',
    remedy: 'remove repetitions inside repetitions, and alternatives that match the same',
  },
  other: { why: 'that has no equivalent in', remedy: 'use fewer than 256 repetitions' },
} as const;

/** Columns hold what servers wrote; the second stage has only what is in the form of the evaluator. */
function inputStages(
  { inputs, headerNames }: PolicyPlan,
  { dialect: name, columns = {} }: SqlOptions,
): readonly Stage[] {
  const dialect = DIALECTS[name];
  const { name: quoted, byCodePoint } = dialect;
  const given = inputs.map((input, at): Stage[number] => {
    const sql = columns[input.path] ?? quoted(defaultColumn(input.path));
    const value = input.type === 'string' && byCodePoint ? byCodePoint(sql) : sql;
    return [`tollgate_${formOf(input) === undefined ? 'i' : 'c'}${at + 1}`, value];
  });
  const canonical = inputs.flatMap((input, at): Stage => {
    const column = `tollgate_c${at + 1}`;
    switch (formOf(input)) {
      case 'address':
        return [[`tollgate_i${at + 1}`, canonicalAddressSql(dialect, column)]];
      case 'headers':
        return [[`tollgate_i${at + 1}`, canonicalHeadersSql(dialect, column, headerNames)]];
      default:
        return [];
    }
  });
  return [given, canonical];
}

/** Returns what must be in the form of the evaluator. */
function formOf({ role }: Input): 'address' | 'headers' | undefined {
  if (role === 'client-address' || role === 'server-address') return 'address';
  return role === 'request-headers' || role === 'response-headers' ? 'headers' : undefined;
}

/** Returns the name of a column: `req_path` for `req.Path`. */
function defaultColumn(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

function decisionStages(rules: readonly PlannedRule[], names: SqlNames): readonly Stage[] {
  const results = rules.map((rule, at): Stage[number] => [result(at), conditionSql(endingCondition(rule), names)]);
  const cases = rules.map((_, at) => `when ${result(at)} = 3 then ${at + 1}`);
  const first = rules.length === 0 ? '1' : `case ${cases.join(' ')} else ${rules.length + 1} end`;
  const { text, nonEmpty } = names.dialect;
  const keys = [...possibilities(rules)].map(
    ([key, { tests }]) => `case when ${tests.join(' or ')} then ${text(key)} else '' end`,
  );
  return [results, [['tollgate_first', first]], [['tollgate_outcomes', nonEmpty(keys)]]];
}

const result = (at: number) => `tollgate_r${at + 1}`;

interface Possibility {
  readonly outcome: Pick<PlannedRule['outcome'], 'status' | 'action'> & { readonly kind: string };
  readonly tests: readonly string[];
}

/** Returns outcomes with the tests that they are possible, each of one rule or of none. */
function possibilities(rules: readonly PlannedRule[]): ReadonlyMap<string, Possibility> {
  const found = new Map<string, Possibility>();
  const add = (outcome: Possibility['outcome'], test: string) => {
    const key = [outcome.kind, outcome.status, outcome.action].filter(one => one !== undefined).join(' ');
    found.set(key, { outcome, tests: [...(found.get(key)?.tests ?? []), test] });
  };
  for (const [at, { outcome }] of rules.entries())
    add(outcome, `(${result(at)} in (1, 3) and tollgate_first >= ${at + 1})`);
  add({ kind: 'passed', status: undefined, action: undefined }, `tollgate_first = ${rules.length + 1}`);
  return found;
}

/** Different rules may have the same outcome. */
function decisionColumns(rules: readonly PlannedRule[], dialect: SqlDialect): Stage {
  const { text, noInteger, listLength, first } = dialect;
  const all = [...possibilities(rules)];
  const ofOutcome = (value: (outcome: Possibility['outcome']) => string) => {
    const cases = all.map(([key, { outcome }]) => `when ${text(key)} then ${value(outcome)}`);
    return `case when ${listLength('tollgate_outcomes')} = 1 then case ${first('tollgate_outcomes')} ${cases.join(' ')} end end`;
  };
  const open = rules.map((_, at) => `(${result(at)} = 1 and tollgate_first > ${at + 1})`);
  const labels = rules.map(({ label }, at) => `when ${at + 1} then ${text(label)}`);
  const rule = rules.length === 0 ? `''` : `case tollgate_first ${labels.join(' ')} else '' end`;
  return [
    ['decision_outcome', ofOutcome(({ kind }) => text(kind))],
    ['decision_status', ofOutcome(({ status }) => `${status ?? noInteger}`)],
    ['decision_action', ofOutcome(({ action }) => text(action ?? ''))],
    ['decision_rule', open.length === 0 ? rule : `case when not (${open.join(' or ')}) then ${rule} end`],
    ['decision_outcomes', 'tollgate_outcomes'],
  ];
}

/** The last stage is the result. */
function chained(stages: readonly Stage[], table: string, allBut: (names: readonly string[]) => string): string {
  const before = stages.slice(0, -1);
  const tables = before.map((stage, at) => {
    const from = at === 0 ? `${table} tollgate_table` : `tollgate_${at}`;
    return `tollgate_${at + 1} as (\nselect *,\n${listed(stage)}\nfrom ${from}\n)`;
  });
  const hidden = before.flat().map(([name]) => name);
  return `with ${tables.join(', ')}\nselect ${allBut(hidden)},\n${listed(stages.at(-1)!)}\nfrom tollgate_${before.length}\n`;
}

function lateral(stages: readonly Stage[], table: string, lateralEnd: string): string {
  const joins = stages
    .slice(0, -1)
    .map((stage, at) => `cross join lateral (select\n${listed(stage)}${lateralEnd}) tollgate_${at + 1}`);
  return `select tollgate_table.*,\n${listed(stages.at(-1)!)}\nfrom ${table} tollgate_table\n${joins.join('\n')}\n`;
}
