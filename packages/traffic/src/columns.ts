export { isSingle, mayBeSeveral, SINGLE_HEADERS } from './exchange/exchange.ts';
/** For engines that hold the values of records in columns: what a record means. */

export { SERVER_NAMES } from './formats/registry.ts';
export { isReadColumn, withHeaderColumns } from './formats/tables.ts';
export { type FieldMapping, RECORD_FIELDS, readerOfPath } from './records/field-mapping.ts';
export { authorityIn, isRecord, startIn, stringIn, TARGET_AUTHORITIES, timeIn } from './records/field-values.ts';
export { type FieldReading, readingOf, type ServerNames, serverReading } from './records/json-lines.ts';
export { absenceOf, headersInJson, type JsonHeaderRules } from './records/logged-headers.ts';
export {
  MappedFacts,
  type PreparedMapping,
  prepareMapping,
  type RecordAccess,
  type StartPaths,
} from './records/mapped-facts.ts';
export { RecordExchange } from './records/record-exchange.ts';
export { REFUSALS, type ReadState, unusualStatus, WHOLE } from './records/refusals.ts';
