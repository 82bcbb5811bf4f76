/** Members that a mapping does not read, and which fields they seem to hold. */
import { ipVersion } from '@tollgate/diagnostics/portable';
import { normalizeAddress } from '../exchange/address.ts';
import { type FieldMapping, mappedHeader, RECORD_FIELDS, type RecordField, readerOfPath } from './field-mapping.ts';
import {
  isRecord,
  protocolIn,
  schemeIn,
  splitRequestLine,
  statusIn,
  stringIn,
  timeIn,
  tlsVersionIn,
} from './field-values.ts';

// Proposes a mapping for JSON records with names of their own. What the names mean is the user's knowledge, so the proposal is only shown.

/** What a mapping does not read of some records. */
export interface UnreadMembers {
  /** Dot paths, in the order of the first record that has each. */
  readonly unread: readonly string[];
  /** Paths by the fields that they seem to hold, in the order of the fields. */
  readonly guess: Readonly<Record<string, string>>;
}

type ParsedRecord = Readonly<Record<string, unknown>>;

/** Returns which members of records are not read, and what they seem to be by their names and values. */
export function unreadMembers(records: readonly ParsedRecord[], mapping: FieldMapping): UnreadMembers {
  const read = new Set(readPaths(mapping));
  const values = valuesByPath(records, read);
  const missing = RECORD_FIELDS.filter(field => !isHeld(field, records, mapping));
  const taken = new Set<string>();
  const guess: Record<string, string> = {};
  for (const [field, kind] of KINDS) {
    if (!missing.includes(field) || (kind.unless?.some(one => one in guess || !missing.includes(one)) ?? false))
      continue;
    const path = likeliest(
      [...values].filter(([path]) => !taken.has(path)),
      kind,
    );
    if (path === undefined) continue;
    taken.add(path);
    guess[field] = path;
  }
  const order: readonly string[] = RECORD_FIELDS;
  const sorted = Object.entries(guess).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return { unread: [...values.keys()], guess: Object.fromEntries(sorted) };
}

function readPaths({ fields = {} }: FieldMapping): readonly string[] {
  return [...RECORD_FIELDS.map(name => fields[name] ?? name), ...Object.values(fields)];
}

/** Whether some record has a value for the field. */
function isHeld(field: RecordField, records: readonly ParsedRecord[], { fields = {} }: FieldMapping): boolean {
  const path = fields[field] ?? field;
  if (path === '') return true;
  const header = field === 'user_agent' ? 'User-Agent' : field === 'referer' ? 'Referer' : undefined;
  const isMapped = Object.keys(fields).some(name => {
    const mapped = mappedHeader(name);
    return header !== undefined && mapped?.name.toLowerCase() === header.toLowerCase();
  });
  const read = readerOfPath(path);
  return isMapped || records.some(record => (read(record) ?? undefined) !== undefined);
}

/** Objects deeper than these do not hold fields of requests. */
const MAX_DEPTH = 3;
const MAX_PATHS = 200;

function valuesByPath(records: readonly ParsedRecord[], read: ReadonlySet<string>): ReadonlyMap<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (read.has(path) || value === null || value === '' || value === '-') return;
    if (isRecord(value) && !looksLikeHeaders(value)) {
      if (depth < MAX_DEPTH)
        for (const [name, held] of Object.entries(value)) visit(held, `${path}.${name}`, depth + 1);
      return;
    }
    const known = values.get(path);
    if (known !== undefined) known.push(value);
    else if (values.size < MAX_PATHS) values.set(path, [value]);
  };
  for (const record of records) for (const [name, value] of Object.entries(record)) visit(value, name, 1);
  return values;
}

/** How the values of a field look, and what it is usually called. */
interface Kind {
  readonly isValue: (value: unknown) => boolean;
  /** Matched against the last part of a path, in lower case and without separators. */
  readonly names: RegExp;
  /** Only this field has such values, so that the name does not matter. */
  readonly isTelling?: true;
  /** Fields that make this one superfluous. */
  readonly unless?: readonly RecordField[];
}

const text = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);

/** The fields that can be recognized, those with the most telling values first. */
const KINDS: readonly (readonly [RecordField, Kind])[] = [
  [
    'request_line',
    {
      isValue: value => text(value, /^\S+ \S.* HTTP\/\d/) && splitRequestLine(String(value)) !== undefined,
      names: /request(line)?$/,
      isTelling: true,
      unless: ['target', 'url'],
    },
  ],
  [
    'method',
    {
      isValue: value => text(value, /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH)$/),
      names: /method|verb|^m$/,
      isTelling: true,
      unless: ['request_line'],
    },
  ],
  [
    'url',
    {
      isValue: value => text(value, /^https?:\/\/[^/?#]+/i),
      names: /^(?:req(?:uest)?|full|http)?ur[il]$|^u$/,
      unless: ['target', 'request_line'],
    },
  ],
  [
    'target',
    {
      isValue: value => text(value, /^\//),
      names: /ur[il]|path|target|resource|^u$/,
      isTelling: true,
      unless: ['url', 'request_line'],
    },
  ],
  [
    'protocol',
    {
      isValue: value => text(value, /^(?:HTTP\/\d(?:\.\d)?|h2c?|h3)$/i) && protocolIn(value) !== undefined,
      names: /proto|version|^v$/,
      isTelling: true,
      unless: ['request_line'],
    },
  ],
  [
    'scheme',
    { isValue: value => schemeIn(value) !== undefined, names: /scheme|proto/, isTelling: true, unless: ['url'] },
  ],
  [
    'time',
    {
      isValue: value => isTime(timeIn(value)),
      names: /^t$|^ts$|time|date|^at$|when/,
    },
  ],
  [
    'client_ip',
    {
      isValue: value => ipVersion(normalizeAddress(stringIn(value) ?? '') ?? '') !== 0,
      names: /ip$|client|remote|peer|addr|src|source/,
    },
  ],
  ['status', { isValue: value => (statusIn(value) ?? 600) < 600, names: /status|code|^s$|^sc$/ }],
  [
    'host',
    {
      isValue: value => text(value, /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i),
      names: /host|authority|domain|^h$/,
      unless: ['url'],
    },
  ],
  ['user_agent', { isValue: value => text(value, /[A-Za-z]/), names: /agent|^ua$|^a$|browser/ }],
  ['referer', { isValue: value => text(value, /^https?:\/\//i), names: /refer/ }],
  ['request_headers', { isValue: looksLikeHeaders, names: /^(?:req(?:uest)?)?headers?$/ }],
  ['response_headers', { isValue: looksLikeHeaders, names: /^res(?:p(?:onse)?)?headers?$/ }],
  [
    'tls_version',
    { isValue: value => text(value, /^(?:TLS|SSL)/i) && !!tlsVersionIn(value), names: /tls|ssl/, isTelling: true },
  ],
  ['response_size', { isValue: value => Number.isInteger(Number(value)), names: /bytes|size|length|^b$/ }],
  ['country', { isValue: value => text(value, /^[A-Z]{2}$/), names: /country/ }],
];

/** Between 2000 and 2100: other numbers are no times. */
function isTime(time: number | undefined): boolean {
  return time !== undefined && time > Date.UTC(2000) && time < Date.UTC(2100);
}

/** An object whose members are named like headers. */
function looksLikeHeaders(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const names = Object.keys(value).map(name => name.toLowerCase());
  return names.some(name =>
    ['user-agent', 'host', 'accept', 'content-type', 'content-length', 'server'].includes(name),
  );
}

/** The path all of whose values are of the kind, by name if there are several. */
function likeliest(
  candidates: readonly (readonly [path: string, values: readonly unknown[]])[],
  { isValue, names, isTelling }: Kind,
): string | undefined {
  const possible = candidates.filter(([, values]) => values.every(isValue)).map(([path]) => path);
  const named = possible.filter(path => names.test(lastName(path)));
  if (named.length > 0) return named[0];
  return isTelling && possible.length === 1 ? possible[0] : undefined;
}

function lastName(path: string): string {
  return path
    .slice(path.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
