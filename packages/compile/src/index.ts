export type { ProtoJson } from './checked-expr.ts';
export { checkedExpr } from './checked-expr.ts';
export type { Input } from './condition.ts';
export { type ConditionColumns, conditionColumns, type LookupCondition, type LookupKey } from './condition-columns.ts';
export {
  type PlanContext,
  type PlannedRule,
  type PlanResult,
  type PolicyPlan,
  planPolicy,
  type UnsupportedConstruct,
} from './plan-policy.ts';
export {
  type ModuleLog,
  type PolicyModule,
  type PolicyModuleOptions,
  policyModule,
  type Uncompiled,
} from './policy-module.ts';
export type { PolicyRuntime, RuntimeDeclaration } from './policy-runtime.ts';
export type { Stage } from './sql-conditions.ts';
export type { SqlDialectName } from './sql-dialects.ts';
export {
  SQL_DIALECTS,
  type SqlOptions,
  type SqlResult,
  sqlDialectFacts,
  sqlQuery,
} from './sql-query.ts';
