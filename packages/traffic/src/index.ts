export { SKIP_REASONS, type SkippedRecord, type SkipReason, type TrafficBatch, UNREADABLE_RECORD } from './batch.ts';
export {
  type ConnectionFacts,
  type Exchange,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TlsFacts,
} from './exchange.ts';
export { TRAFFIC_REFERENCE, type TrafficReference } from './formats/reference.ts';
export { TRAFFIC_FORMATS, type TrafficFormat } from './formats/registry.ts';
export type { GeoFacts, LocateAddress } from './geo/geo-facts.ts';
export { openGeoDatabases } from './geo/open-geo-databases.ts';
export { type FieldMapping, RECORD_FIELDS, type RecordField, unknownFields } from './json-lines/field-mapping.ts';
export { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './limits.ts';
export { LogFormatError } from './log-format/log-variable.ts';
export { logFormatFault, NAMED_FORMATS } from './log-format/parse-log-format.ts';
export { nothingRead } from './nothing-read.ts';
export { readTrafficPart, splitTraffic, type TrafficPart, type TrafficPartReading } from './parts/split-traffic.ts';
export { formatPlace, type Place } from './place.ts';
export { type ReadTrafficOptions, readTraffic } from './read-traffic.ts';
export { normalizeAddress } from './record/address.ts';
export { GEO_FIELDS, type GeoField, geoIn } from './record/geo-in-record.ts';
export type { Recording } from './recording/recording.ts';
export { recordingsOf, USUAL_FIELDS } from './recording/recordings-of.ts';
export type { ExchangeRows } from './rows/exchange-rows.ts';
export { KeptByTexts, type Lookup } from './rows/kept-by-texts.ts';
