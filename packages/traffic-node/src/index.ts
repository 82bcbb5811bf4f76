export {
  auditJsonLines,
  copyLines,
  copyToLastLine,
  isCut,
  type LineAudit,
  type LineExpectations,
  LongLineError,
  linesAt,
  MAX_ODD,
  type OddLine,
} from './audit-lines.ts';
export { boundedRows, bytesIn, createPlainValue, type PlainValue } from './duckdb.ts';
export { openGeoDatabases } from './geo-databases.ts';
export { exchangesAcross, type InspectedFile, inspectTraffic, unreadMembersIn } from './inspect-traffic.ts';
export { FILE_READER, followingReader, readTraffic } from './read-traffic.ts';
