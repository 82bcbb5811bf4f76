export { type CallOptions, type Client, createClient, type InputOf, type ListId } from './client/client.ts';
export type { AnsweredError, CallError, Failure, OtherError, Result, Success } from './client/result.ts';
export type { ClientOptions } from './client/settings.ts';
export type { ErrorFact } from './contract/errors/error-fact.ts';
export {
  ERRORS,
  type ErrorNumber,
  errorFact,
  isErrorNumber,
  type MessageParts,
} from './contract/errors.ts';
export { type Change, EVENT_TYPES, eventTypeOf } from './contract/events.ts';
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
export { type RequestMode, requestFields, shapeOf } from './contract/shape-of.ts';
export { SHAPES, type ShapeName } from './contract/shapes.ts';
export type { AnswerOf, BodyOf, EntryOf, RequestOf, ResultOf, UpdateOf } from './contract/wire-type.ts';
export { redactedUrl } from './conversion/redacted-url.ts';
export { type AnswerContext, toAnswer } from './conversion/to-answer.ts';
export type { Field, FieldType, Json, Reference, Shape, ShapeRule } from './definition/field.ts';
export { kindOfIdentifier, pathOfIdentifier, pathParameters } from './definition/identifiers.ts';
export { LIMITS } from './definition/limits.ts';
export type { Operation } from './definition/operation.ts';
export { RECORD_KINDS, type RecordKind, type RecordKindName } from './definition/record-kinds.ts';
export { type ErrorBody, PLAIN_ERRORS, WIRE } from './definition/wire.ts';
export { type DocumentOptions, openApiDocument } from './openapi/document.ts';
export type { JsonSchema } from './openapi/json-schema.ts';
export { errorCode, faultsBody } from './validation/error-body.ts';
export { type Fault, faultAt, type Path } from './validation/fault.ts';
export { isConnectionHeader } from './validation/formats.ts';
export { type QueryValidation, validateQuery } from './validation/query.ts';
export { createValidator, type Validation, type Validator } from './validation/validator.ts';
