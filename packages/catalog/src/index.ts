export { WEBHOOK_PROVIDERS } from './actions/webhook-providers.ts';
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
export { EDGE_V2_SNAKE } from './edge-v2-snake/edge-v2-snake.ts';
export { type Extension, extendProfile } from './extension.ts';
export { ADDRESS_CATEGORIES } from './modern/address-categories.ts';
export { MODERN } from './modern/modern.ts';
export { PROFILES } from './profiles.ts';
export { REFUSALS, type RefusalFact, refusalOf, refusalsOf } from './refusals.ts';
export { PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from './replacement-variables.ts';
export type { ActionFact, ActionGroup, ConfigField, ConfigType, Interpolation } from './schema/action-fact.ts';
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
export { hasUpstream, isAvailable, type PhaseFact, type Profile, phasesAt } from './schema/profile.ts';
export { type ConfigRole, type Lookup, type ParamRole, VALUE_ROLES, type ValueRole } from './schema/role.ts';
export { type ProfileSwitches, SWITCHES, type SwitchFact } from './schema/switches.ts';
export { TERMINATIONS, type Termination } from './schema/termination.ts';
export {
  type ConfiguredAction,
  endsUnlessItFails,
  mayRefuse,
  terminationDoc,
  terminationOf,
} from './schema/termination-of.ts';
export { SOURCE_DATES } from './source-dates.ts';
