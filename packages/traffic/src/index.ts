export { normalizeAddress } from './exchange/address.ts';
export type { GeoFacts, LocateAddress } from './exchange/exchange.ts';
export {
  type ConnectionFacts,
  type CredentialVerdict,
  type Exchange,
  formatLocation,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type RecordLocation,
  type ResponseFacts,
  SKIP_REASONS,
  type SkippedRecord,
  type SkipReason,
  TLS_UNKNOWN,
  type TlsFacts,
  type TrafficBatch,
  UNREADABLE_RECORD,
} from './exchange/exchange.ts';
export {
  areHeadersText,
  canonicalUrl,
  decodedPath,
  exchangeOf,
  type FetchRequest,
  headerText,
  isAuthority,
  type NodeRequest,
  normalUrl,
  queryParams,
  type RequestConnection,
} from './exchange/request.ts';
export {
  nothingRead,
  type ReadTrafficOptions,
  readTraffic,
  type TrafficPorts,
  type TrafficReader,
} from './formats/read-traffic.ts';
export { TRAFFIC_FORMATS, TRAFFIC_REFERENCE, type TrafficFormat, type TrafficReference } from './formats/registry.ts';
export { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './input/lines.ts';
export { LogFormatError } from './log-formats/log-variable.ts';
export { logFormatFault } from './log-formats/read-log-format.ts';
export type { Recording } from './log-formats/recordings.ts';
export { recordingsOf, USUAL_FIELDS } from './log-formats/recordings.ts';
export { exchangeRecord } from './records/exchange-record.ts';
export {
  type FieldMapping,
  fieldsWithoutHeaders,
  GEO_FIELDS,
  type GeoField,
  geoIn,
  RECORD_FIELDS,
  type RecordField,
  unknownFields,
} from './records/field-mapping.ts';
export { verdictsText } from './records/field-values.ts';
export type { UnreadMembers } from './records/guess-fields.ts';
