import { formatType, type Type } from '@tollgate/cel';
import fc from 'fast-check';
import { DOUBLES, INTS, type Take, UINTS } from '../data.ts';

/** Strings that some function interprets; any may be passed to any function. */
const STRINGS = {
  any: [
    '',
    'a',
    'ab',
    'aba',
    'é',
    '😀',
    'a😀b',
    'ﬀ',
    '\u0130',
    'e\u0301',
    '\uffff',
    '\u0000',
    ' \u0085\u00a0a\ufeff ',
    'a"\\\n',
  ],
  pattern: [
    '',
    'a',
    'a*',
    '(a)',
    '(a)(b)?',
    '(?P<x>b)',
    '^',
    '$',
    '[',
    '\\d+',
    '.',
    '(?i)A',
    '(a|)',
    '\\bb',
    '(',
    'a{2}',
  ],
  replacement: ['', 'x', '\\1', '\\0', '\\2', '\\\\', '\\', '$1', '${x}', '\\x', '\\10', 'a\\1b', '$'],
  format: [
    '',
    '%s',
    '%d',
    '%i',
    '%',
    '%%',
    '%.1f',
    '%e',
    '%x',
    '%X',
    '%o',
    '%b',
    '%s%s',
    '%.f',
    '%.3e',
    '%.0f',
    '%-d',
    '%.20f',
    '%5d',
  ],
  number: [
    '0',
    '-0',
    '1',
    '+1',
    '01',
    ' 1',
    '1.5',
    '1e3',
    '-1e400',
    'NaN',
    'Inf',
    '-Infinity',
    '0x1',
    '1_0',
    '9223372036854775807',
    '-9223372036854775809',
    '18446744073709551615',
    'true',
    'TRUE',
    'tRue',
    'f',
    '5e-324',
    '.5',
    '1.',
  ],
  time: [
    '1970-01-01T00:00:00Z',
    '2024-02-29T23:59:60Z',
    '2024-02-29T12:00:00.123456789+05:30',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '10000-01-01T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01',
    '2024-01-01T00:00:00',
    '2024-01-01t00:00:00z',
    '2024-01-01T24:00:00Z',
  ],
  duration: [
    '0',
    '0s',
    '1h30m',
    '-1.5s',
    '1ns',
    '1us',
    '1µs',
    '9223372036s',
    '9223372037s',
    '1d',
    '.5s',
    '1',
    's',
    '+1m',
    '1h-1m',
    '-9223372036.854775808s',
  ],
  zone: [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    '+05:30',
    '-11:00',
    '05:30',
    'Z',
    '',
    'Nowhere/City',
    'europe/berlin',
    '+24:00',
    '+5:30',
  ],
  base64: ['', 'aGVsbG8=', 'aGVsbG8', 'YQ==', 'YQ', 'YQ=', '____', '//+/', 'a', 'YQ==\n', 'Y Q==', 'YR==', '-_8', '=='],
  json: [
    'null',
    'true',
    '1',
    '-1',
    '1.0',
    '1e2',
    '1.5',
    '"a"',
    '"\\u00e9"',
    '"\\ud800"',
    '[]',
    '[1, "a", null]',
    '{}',
    '{"a": {"b": [1]}}',
    '{"a":1,"a":2}',
    '01',
    '[1,]',
    '',
    ' 1 ',
    '9223372036854775808',
    '18446744073709551616',
    '1e400',
    'NaN',
    '"a',
    '1 2',
    '-0',
    '"2024-01-01T00:00:00Z"',
    '"5s"',
    '"aGVsbG8="',
    '[1, 2]',
    '[[1], ["x"]]',
    '\ufeff1',
    '"a\tb"',
    "'a'",
  ],
  ip: [
    '10.0.0.1',
    '0.0.0.0',
    '127.0.0.1',
    '255.255.255.255',
    '169.254.0.1',
    '224.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'ff02::1',
    '2001:DB8::1',
    '::ffff:c0a8:1',
    '::ffff:192.168.0.1',
    'fe80::1%en0',
    '010.0.0.1',
    '10.0.0',
    '1::2::3',
    '::1.2.3.4',
    '1:2:3:4:5:6:7:8',
    '',
  ],
  cidr: [
    '10.0.0.0/8',
    '10.1.2.3/8',
    '10.1.2.3/32',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0',
    '::/0',
    '2001:db8::/32',
    'fe80::1%en0/24',
    '::ffff:192.168.0.1/24',
    '::ffff:c0a8:0/112',
    '/8',
    '10.0.0.0/-1',
    'fe80::1/127',
  ],
} as const;

export type TextKind = keyof typeof STRINGS;

const BYTES = [
  "b''",
  "b'a'",
  "b'ab'",
  "b'é'",
  String.raw`b'\xff'`,
  String.raw`b'a\xff\xfeb'`,
  String.raw`b'\xef\xbf\xbd'`,
  String.raw`b'\xf0\x9f\x98'`,
  String.raw`b'\xed\xa0\x80'`,
];
const TIMES = [
  '1970-01-01T00:00:00Z',
  '2024-02-29T23:59:59.999999999Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '1969-12-31T23:59:59.5Z',
  '2024-03-31T01:30:00Z',
];
const DURATIONS = ['0s', '1ns', '-1ns', '1h30m', '-1.5s', '1000000h', '9223372036s', '-9223372036s', '0.001s'];
const ADDRESSES = STRINGS.ip.slice(0, 10);
const RANGES = STRINGS.cidr.slice(0, 4);

export function pick<T>(take: Take, values: readonly T[]): T {
  return values[take(fc.nat, values.length - 1)] as T;
}

/** Returns true once in this many calls. */
export function chance(take: Take, of: number): boolean {
  return take(fc.nat, of - 1) === 0;
}

/** Returns a constant of a scalar type at one of its boundaries, as CEL source; undefined for other types. */
export function scalarLiteral(take: Take, type: Type, texts: TextKind = 'any'): string | undefined {
  switch (type.kind) {
    case 'null':
      return 'null';
    case 'bool':
      return pick(take, ['true', 'false']);
    case 'int':
      return signed(String(pick(take, chance(take, 3) ? INTS : INTS.slice(0, 7))));
    case 'uint':
      return `${pick(take, chance(take, 3) ? UINTS : UINTS.slice(0, 4))}u`;
    case 'double':
      return doubleLiteral(
        pick(take, chance(take, 2) ? DOUBLES : [...DOUBLES.slice(0, 8), 2.5, -2.5, 1e-7, 123456.789]),
      );
    case 'string':
      return textLiteral(pick(take, chance(take, 8) ? STRINGS.any : STRINGS[texts]));
    case 'bytes':
      return pick(take, BYTES);
    case 'timestamp':
      return `timestamp('${pick(take, TIMES)}')`;
    case 'duration':
      return `duration('${pick(take, DURATIONS)}')`;
    case 'type':
      return pick(take, [
        'int',
        'uint',
        'double',
        'bool',
        'string',
        'bytes',
        'null_type',
        'list',
        'map',
        'type',
        'google.protobuf.Duration',
        'google.protobuf.Timestamp',
      ]);
    case 'opaque':
      return formatType(type) === 'net.IP' ? `ip('${pick(take, ADDRESSES)}')` : `cidr('${pick(take, RANGES)}')`;
    default:
      return undefined;
  }
}

function signed(digits: string): string {
  return digits.startsWith('-') ? `(${digits})` : digits;
}

function doubleLiteral(value: number): string {
  if (Number.isNaN(value)) return '(0.0 / 0.0)';
  if (!Number.isFinite(value)) return value < 0 ? '(-1.0 / 0.0)' : '(1.0 / 0.0)';
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return signed(/[.e]/.test(digits) ? digits : `${digits}.0`);
}

/** Both languages read the escapes that this writes. */
function textLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u0085', '\\u0085');
}
