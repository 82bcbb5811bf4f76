/** For engines that hold the values of records in columns: what a record means, and which files they can read exactly. */
export { type FieldMapping, RECORD_FIELDS } from '../json-lines/field-mapping.ts';
export { readerOfPath } from '../json-lines/json-path.ts';
export { MappedFacts, type PreparedMapping, prepareMapping, type RecordAccess } from '../json-lines/mapped-facts.ts';
export { headersInJson, type JsonHeaderRules } from '../record/headers-in-json.ts';
export { USUAL_SIGNS } from '../record/logged-headers.ts';
export { RecordExchange } from '../record/record-exchange.ts';
export { timeIn } from '../record/values/read-value.ts';
export { CLOUDFLARE_NAMES } from '../servers/cloudflare/cloudflare-format.ts';
export { ENVOY_NAMES } from '../servers/envoy/envoy-format.ts';
export { createPlainValue, type PlainValue } from '../tables/plain-value.ts';
export { isReadColumn, withHeaderColumns } from '../tables/table-columns.ts';
export { auditJsonLines, type LineAudit, type LineExpectations } from './audit-json-lines.ts';
export { type InspectedFile, inspectTraffic } from './inspect-traffic.ts';
