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
export {
  SQL_DIALECTS,
  type SqlDialectName,
  type SqlOptions,
  type SqlResult,
  sqlDialectFacts,
  sqlQuery,
} from './sql/sql-query.ts';
