export { SKIP_REASONS, type SkippedRecord, type SkipReason, type TrafficBatch } from './batch.ts';
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
export type { GeoFacts, LocateAddress } from './geo/geo-facts.ts';
export { openGeoDatabases } from './geo/open-geo-databases.ts';
export { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './limits.ts';
export { formatPlace, type Place } from './place.ts';
export { type ReadTrafficOptions, readTraffic, TRAFFIC_FORMATS, type TrafficFormat } from './read-traffic.ts';
