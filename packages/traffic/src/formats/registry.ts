/** All formats of recorded traffic, in the order in which they are tried, and the reference page about them. */
import { ACCESS_LOG_STEPS, readAccessLog, scanLine } from '../log-formats/access-log.ts';
import { APACHE_ARGUMENTS, APACHE_DIRECTIVES } from '../log-formats/apache-format.ts';
import { ENVOY_OPERATORS } from '../log-formats/envoy-format.ts';
import { LayoutScanner } from '../log-formats/layout.ts';
import type { VariableFact } from '../log-formats/log-variable.ts';
import { NGINX_VARIABLES } from '../log-formats/nginx-format.ts';
import { NAMED_FORMATS, type PreparedLog, parseLogFormat, readLogFormat } from '../log-formats/read-log-format.ts';
import { isRecord } from '../records/field-values.ts';
import { parseObject, readJsonLines, type ServerNames } from '../records/json-lines.ts';
import { explainLine } from '../records/line-grammar.ts';
import { ALB, ELB, S3 } from './aws.ts';
import { CADDY, CADDY_NAMES } from './caddy.ts';
import { CLOUDFLARE, CLOUDFLARE_NAMES } from './cloudflare.ts';
import { ENVOY, ENVOY_NAMES } from './envoy.ts';
import { HAPROXY } from './haproxy.ts';
import { readHar } from './har.ts';
import { NGINX_JSON, NGINX_NAMES } from './nginx.ts';
import { CSV, PARQUET } from './tables.ts';
import { TRAEFIK, TRAEFIK_NAMES } from './traefik.ts';
import { type FormatDescription, type FormatHead, shareOfObjects } from './traffic-format.ts';
import { W3C } from './w3c.ts';

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

/** The names of fields in the JSON logs of servers, by format. */
export const SERVER_NAMES = {
  nginx: NGINX_NAMES,
  caddy: CADDY_NAMES,
  envoy: ENVOY_NAMES,
  cloudflare: CLOUDFLARE_NAMES,
  traefik: TRAEFIK_NAMES,
} as const satisfies Readonly<Record<string, ServerNames>>;

/** The name of a format of recorded traffic. */
export type TrafficFormat = (typeof FORMATS)[number]['name'];

/** The names of the readable formats of recorded traffic. */
export const TRAFFIC_FORMATS: readonly TrafficFormat[] = FORMATS.map(({ name }) => name);

/** What the readers know about formats, for generated pages. */
export interface TrafficReference {
  readonly formats: readonly { readonly name: string; readonly title: string }[];
  /** Log formats by name. */
  readonly named: Readonly<Record<string, string>>;
  /** Variables of log formats as written, by server, each with its meaning. */
  readonly variables: Readonly<Record<string, readonly (readonly [written: string, tells: string])[]>>;
  /** The names of fields in the JSON lines of each format. */
  readonly dialects: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Derived from the tables of the readers. */
export const TRAFFIC_REFERENCE: TrafficReference = {
  formats: FORMATS.map(({ name, title }) => ({ name, title })),
  named: NAMED_FORMATS,
  variables: {
    nginx: written(NGINX_VARIABLES, name => `$${name}`),
    Apache: [
      ...written(APACHE_DIRECTIVES, letter => apacheDirective(letter)),
      ...written(APACHE_ARGUMENTS, name => `%${name}`),
    ],
    Envoy: written(ENVOY_OPERATORS, name => `%${name}%`),
  },
  dialects: Object.fromEntries(Object.entries(SERVER_NAMES).map(([name, { paths }]) => [name, paths])),
};

function written(
  facts: Readonly<Record<string, VariableFact>>,
  write: (name: string) => string,
): readonly (readonly [string, string])[] {
  return Object.entries(facts).map(([name, [, slot]]) => [write(name), slot]);
}

/** Clients see the status after internal redirects. */
function apacheDirective(letter: string): string {
  return letter === 's' ? '%>s' : `%${letter}`;
}
