export type { AnsweredError, CallError, ClientOptions, Failure, OtherError, Result, Success } from './client.ts';
export { type CallOptions, type Client, createClient, type InputOf, type ListId } from './client.ts';
export { type AnswerContext, redactedUrl, toAnswer } from './contract/conversion.ts';
export type { ErrorFact } from './contract/errors.ts';
export {
  ERRORS,
  type ErrorNumber,
  errorFact,
  isErrorNumber,
  type MessageParts,
} from './contract/errors.ts';
export { EVENT_TYPES, type EventChange as Change, eventTypeOf } from './contract/event-shapes.ts';
export { EXAMPLES, exampleId } from './contract/examples.ts';
export {
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
  operationOf,
  sourceOf,
  UNSTABLE_OPERATIONS,
} from './contract/operations.ts';
export { KEPT_WHILE_REFERRED_TO, SERVER_RULES, type ServerRule } from './contract/server-rules.ts';
export type { AnswerOf, BodyOf, EntryOf, RequestOf, ResultOf, UpdateOf } from './contract/shapes.ts';
export { type RequestMode, requestFields, SHAPES, type ShapeName, shapeOf } from './contract/shapes.ts';
export type { Field, FieldType, Json, Reference, Shape, ShapeRule } from './definition/field.ts';
export type { Operation } from './definition/operation.ts';
export {
  kindOfIdentifier,
  pathOfIdentifier,
  pathParameters,
  RECORD_KINDS,
  type RecordKind,
  type RecordKindName,
} from './definition/operation.ts';
export { type ErrorBody, LIMITS, PLAIN_ERRORS, WIRE } from './definition/wire.ts';
export { type DocumentOptions, openApiDocument } from './openapi.ts';
export type { JsonSchema } from './openapi-components.ts';
export { errorCode, type Fault, faultAt, faultsBody, type Path } from './validation/faults.ts';
export { isConnectionHeader } from './validation/formats.ts';
export {
  createValidator,
  type QueryValidation,
  type Validation,
  type Validator,
  validateQuery,
} from './validation/validator.ts';
