export { unreadMembersIn } from './columns/inspect-traffic.ts';
export { normalizeAddress, spelledAddress } from './exchange/address.ts';
export {
  SKIP_REASONS,
  type SkippedRecord,
  type SkipReason,
  type TrafficBatch,
  UNREADABLE_RECORD,
} from './exchange/batch.ts';
export {
  type ConnectionFacts,
  type Exchange,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TlsFacts,
  type UnclearHeaders,
} from './exchange/exchange.ts';
export type { GeoFacts, LocateAddress } from './exchange/geo-facts.ts';
export { formatLocation, type RecordLocation } from './exchange/record-location.ts';
export {
  decodedPath,
  exchangeOf,
  type FetchRequest,
  type NodeRequest,
  queryParams,
  type RequestConnection,
  requestFacts,
} from './exchange/request.ts';
export { openGeoDatabases } from './geo/open-geo-databases.ts';
export { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './input/limits.ts';
export { type FieldMapping, RECORD_FIELDS, type RecordField, unknownFields } from './json-lines/field-mapping.ts';
export type { UnreadMembers } from './json-lines/guess-fields.ts';
export { LogFormatError } from './log-format/log-variable.ts';
export { logFormatFault } from './log-format/parse-log-format.ts';
export { nothingRead } from './reading/nothing-read.ts';
export { type ReadTrafficOptions, readTraffic } from './reading/read-traffic.ts';
export { GEO_FIELDS, type GeoField, geoIn } from './record/geo-in-record.ts';
export type { Recording } from './recording/recording.ts';
export { recordingsOf, USUAL_FIELDS } from './recording/recordings-of.ts';
export { TRAFFIC_REFERENCE, type TrafficReference } from './registry/reference.ts';
export { TRAFFIC_FORMATS, type TrafficFormat } from './registry/registry.ts';
