export { checkedExpr } from './checked-expr/checked-expr.ts';
export type { ProtoJson } from './checked-expr/proto-type.ts';
export { type JavascriptResult, javascriptModule } from './javascript/module.ts';
export type { Input } from './plan/condition.ts';
export {
  type PlanContext,
  type PlannedRule,
  type PlanResult,
  type PolicyPlan,
  planPolicy,
  type UnsupportedConstruct,
} from './plan/lower-policy.ts';
export { type ConditionColumns, conditionColumns } from './sql/condition-columns.ts';
export type { SqlDialectName } from './sql/dialects/by-name.ts';
export {
  SQL_DIALECTS,
  type SqlOptions,
  type SqlResult,
  sqlDialectFacts,
  sqlQuery,
} from './sql/sql-query.ts';
export type { Stage } from './sql/stage.ts';
