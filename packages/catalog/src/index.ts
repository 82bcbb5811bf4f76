export type { ActionFact, ConfigField, ConfigType, Interpolation, Termination } from './action-fact.ts';
export {
  type Declarations,
  declarationsAt,
  type FieldDeclaration,
  type NamedType,
  type ObjectDeclaration,
  sampleActivation,
  variablesAt,
} from './declarations.ts';
export { EDGE_V2 } from './edge-v2/edge-v2.ts';
export type {
  Absence,
  Availability,
  EndpointKind,
  Example,
  FieldFact,
  FunctionFact,
  LimitFact,
  ObjectFact,
  Phase,
  Place,
  Sample,
  Source,
  VariableFact,
} from './fact.ts';
export { isAvailable, type Profile } from './profile.ts';
