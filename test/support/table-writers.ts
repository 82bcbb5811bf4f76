import { DuckDBInstance } from '@duckdb/node-api';
import type { TrafficRecord } from './traffic-writers.ts';

/** All that a record says, by the names of JSON lines; the headers are all that were sent. */
export function fullRecord(record: TrafficRecord): Readonly<Record<string, unknown>> {
  const { tls, userAgent, referer } = record;
  const secured = record.scheme === 'https';
  return {
    time: new Date(record.time).toISOString(),
    client_ip: record.clientIp,
    client_port: record.clientPort,
    method: record.method,
    scheme: record.scheme,
    host: record.host,
    target: record.target,
    protocol: record.protocol,
    tls_version: secured ? tls.version : 'none',
    ...(secured && { tls_cipher: tls.suite, server_name: tls.serverName }),
    request_headers: {
      Host: record.host,
      ...(userAgent !== undefined && { 'User-Agent': userAgent }),
      ...(referer !== undefined && { Referer: referer }),
    },
    response_headers: {},
    status: record.status,
    response_size: record.size,
    country: record.country,
  };
}

/** Writes a HAR file, as browsers do, which know no address of their own and no country. */
export function harText(records: readonly TrafficRecord[]): string {
  const entries = records.map(record => ({
    startedDateTime: new Date(record.time).toISOString(),
    request: {
      method: record.method,
      url: `${record.scheme}://${record.host}${record.target}`,
      httpVersion: record.protocol,
      headers: Object.entries(fullRecord(record).request_headers as object).map(([name, value]) => ({ name, value })),
      cookies: [],
      postData: { text: '{"log": {"entries": [' },
    },
    response: {
      status: record.status,
      headers: [],
      bodySize: record.size,
      content: { text: '"}]'.repeat(record.status) },
    },
    ...(record.scheme === 'https' && { _securityDetails: { protocol: record.tls.version.replace('v', ' ') } }),
  }));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Playwright' }, entries } });
}

const COLUMNS = [
  ...['time', 'client_ip', 'client_port', 'method', 'scheme', 'host', 'target', 'protocol', 'tls_version'],
  ...['tls_cipher', 'server_name', 'request_headers', 'response_headers', 'status', 'response_size', 'country'],
];

/** Writes a CSV file, in which headers are JSON. */
export function csvText(records: readonly TrafficRecord[]): string {
  const field = (value: unknown) => {
    if (value === undefined) return '';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = records.map(record => COLUMNS.map(column => field(fullRecord(record)[column])).join(','));
  return `${[COLUMNS.join(','), ...rows].join('\n')}\n`;
}

/** Writes a Parquet file out of a file of JSON lines; headers become maps. */
export async function writeParquet(jsonLines: string, file: string): Promise<void> {
  const text = (name: string) => `'${name.replaceAll("'", "''")}'`;
  const columns = COLUMNS.map(column => `${column}: '${typeOf(column)}'`).join(', ');
  const from = `read_json(${text(jsonLines)}, format = 'newline_delimited', columns = {${columns}})`;
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`copy (select * from ${from}) to ${text(file)} (format parquet)`);
  connection.closeSync();
  instance.closeSync();
}

function typeOf(column: string): string {
  if (column === 'time') return 'TIMESTAMP';
  if (column.endsWith('_headers')) return 'MAP(VARCHAR, VARCHAR)';
  return ['client_port', 'status', 'response_size'].includes(column) ? 'BIGINT' : 'VARCHAR';
}
