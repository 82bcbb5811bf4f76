export {
  type Declarations,
  declarationsAt,
  type FieldDeclaration,
  type ObjectDeclaration,
  type SampleValue,
  STRING_KEY,
  sampleActivation,
  variablesAt,
} from './declarations.ts';
export { EDGE_V2 } from './edge-v2/edge-v2.ts';
export { EDGE_V2_SNAKE } from './edge-v2/edge-v2-snake.ts';
export { type Extension, extendProfile, PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from './extension.ts';
export { HOP_BY_HOP_HEADERS, STATUS_CODES } from './http-names.ts';
export { ADDRESS_CATEGORIES } from './modern/address-categories.ts';
export { MODERN } from './modern/modern.ts';
export { PROFILES, SOURCE_DATES } from './profiles.ts';
export { REFUSALS, type RefusalFact, refusalOf, refusalsOf } from './refusals.ts';
export type { ActionFact, ActionGroup, ConfigField, ConfigType, Interpolation } from './schema/action-fact.ts';
export {
  type ConfiguredAction,
  endsIfTheUrlChanges,
  endsUnlessItFails,
  FINAL_ACTIONS,
  mayRefuse,
  type ProfileSwitches,
  SWITCHES,
  type SwitchFact,
  TERMINATIONS,
  type Termination,
  terminationDoc,
  terminationOf,
} from './schema/action-fact.ts';
export type {
  Absence,
  Availability,
  Deprecation,
  EndpointKind,
  EvaluationContext,
  Example,
  FieldFact,
  FunctionFact,
  LimitFact,
  NamedType,
  ObjectFact,
  Phase,
  Sample,
  Source,
  VariableFact,
} from './schema/fact.ts';
export { type ConfigRole, type Lookup, type ParamRole, VALUE_ROLES, type ValueRole } from './schema/fact.ts';
export { hasUpstream, isAvailable, type PhaseFact, type Profile, phasesAt } from './schema/profile.ts';
export { WEBHOOK_PROVIDERS } from './schema/shared-actions.ts';
