/** For packages that open recordings: what `readTraffic` consists of, and what its ports need. */
export { excerptOf } from './exchange/exchange.ts';
export { type DetectedFormat, detectFormat, howToRead, peekHead } from './formats/read-traffic.ts';
export { cellOf, TableRows } from './formats/table-rows.ts';
export { type CsvHeader, csvHeader, refuseTables } from './formats/tables.ts';
export type { TableFormat, TableSource } from './formats/traffic-format.ts';
export { peek } from './input/byte-source.ts';
export { decompress, type Inflater, type Inflaters, isCompressed } from './input/decompress.ts';
export { isRecord, numberOf, textOf } from './records/field-values.ts';
export { unreadMembers } from './records/guess-fields.ts';
export { parseObject, readJsonLines, readServerLog } from './records/json-lines.ts';
export { PARSED, type ParsedRecord } from './records/mapped-facts.ts';
