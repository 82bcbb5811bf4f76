import { ACCESS_LOG_STEPS } from '../access-log/access-log-steps.ts';
import { readAccessLog } from '../access-log/read-access-log.ts';
import { scanLine } from '../access-log/scan-line.ts';
import { type FormatHead, shareOfObjects } from '../format/format-head.ts';
import type { FormatDescription } from '../format/traffic-format.ts';
import { readHar } from '../har/read-har.ts';
import { isRecord } from '../input/json.ts';
import { parseObject, readJsonLines } from '../json-lines/read-json-lines.ts';
import { type PreparedLog, parseLogFormat } from '../log-format/parse-log-format.ts';
import { readLogFormat } from '../log-format/read-log-format.ts';
import { LayoutScanner } from '../log-format/scan-layout.ts';
import { explainLine } from '../record/line-grammar.ts';
import { ALB } from '../servers/alb/alb-format.ts';
import { CADDY } from '../servers/caddy/caddy-format.ts';
import { CLOUDFLARE } from '../servers/cloudflare/cloudflare-format.ts';
import { ELB } from '../servers/elb/elb-format.ts';
import { ENVOY } from '../servers/envoy/envoy-format.ts';
import { HAPROXY } from '../servers/haproxy/haproxy-format.ts';
import { NGINX_JSON } from '../servers/nginx/nginx-names.ts';
import { S3 } from '../servers/s3/s3-format.ts';
import { TRAEFIK } from '../servers/traefik/traefik-format.ts';
import { W3C } from '../servers/w3c/w3c-format.ts';
import { CSV, PARQUET } from '../tables/table-formats.ts';

/** The readable formats of recorded traffic. */
export const FORMATS = [
  {
    name: 'har',
    title: 'a HAR file',
    spansLines: true,
    detect: detectHar,
    read: (source, file, { limits }) => readHar(source, file, limits),
  },
  {
    name: 'json-lines',
    title: 'JSON lines',
    // The members of a multi-line JSON list may look like lines.
    detect: head => (/^\s*\[/.test(head.text) ? 0 : 0.5 * shareOfObjects(head, record => !isHar(record))),
    read: (bytes, file, { limits, mapping }) => readJsonLines({ bytes, file, ...limits }, mapping),
  },
  NGINX_JSON,
  CADDY,
  CLOUDFLARE,
  ENVOY,
  TRAEFIK,
  ALB,
  ELB,
  S3,
  HAPROXY,
  W3C,
  {
    name: 'access-log',
    title: 'an access log in the common or combined format',
    steps: ACCESS_LOG_STEPS,
    detect: ({ text, lines }, { logFormat }) => {
      const isLog = text.trim() === '' || lines.some(line => scanLine(line) !== undefined);
      return isLog && logFormat === undefined ? 0.4 : 0;
    },
    read: (bytes, file, { limits, mapping }) =>
      readAccessLog({ bytes, file, ...limits, explain: text => explainLine(ACCESS_LOG_STEPS, text) }, mapping),
  },
  {
    name: 'log-format',
    title: 'a log of the format that `--log-format` names',
    detect: ({ lines }, { logFormat }) => (logFormat === undefined ? 0 : detectLogFormat(lines, logFormat)),
    read: (bytes, file, { limits, mapping, logFormat = parseLogFormat('combined') }) =>
      readLogFormat({ bytes, file, ...limits }, logFormat, mapping),
  },
  PARQUET,
  CSV,
] as const satisfies readonly FormatDescription[];

/** If no line matches the format, the reader reports it. */
function detectLogFormat(lines: readonly string[], { layout }: PreparedLog): number {
  const scanner = new LayoutScanner(layout);
  return lines.some(line => scanner.scan(line) !== undefined) ? 0.9 : 0.05;
}

function detectHar({ text, lines, objects, tried }: FormatHead): number {
  if (/^\s*\{\s*"log"\s*:/.test(text) || objects.slice(0, 1).some(isHar)) return 1;
  if (!/^\s*\{/.test(text)) return 0;
  // The reader reports faults in a multi-line JSON document.
  const isDocument = tried === 0 || parseObject(lines[0]!) === undefined;
  if (isDocument && /"log"\s*:\s*\{/.test(text)) return 0.9;
  if (objects.length > 0) return 0.01;
  return /^\s*\{.+\}\s*$/.test(lines[0]!) ? 0 : 0.1;
}

function isHar({ log }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(log) && Array.isArray(log.entries);
}

/** The name of a format of recorded traffic. */
export type TrafficFormat = (typeof FORMATS)[number]['name'];

/** The names of the readable formats of recorded traffic. */
export const TRAFFIC_FORMATS: readonly TrafficFormat[] = FORMATS.map(({ name }) => name);
