export { createPlainValue, type PlainValue } from './duckdb.ts';
export { openGeoDatabases } from './geo-databases.ts';
export {
  auditJsonLines,
  type InspectedFile,
  inspectTraffic,
  type LineAudit,
  type LineExpectations,
  unreadMembersIn,
} from './inspect-traffic.ts';
export { FILE_READER, readTraffic } from './read-traffic.ts';
