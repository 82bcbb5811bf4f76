import type { Outcome } from './cases.ts';
import type { Answer } from './driver.ts';

/** Where cel-go does not do what the specification says, or where that leaves room and we decided otherwise. */
export interface CelGoDeviation {
  readonly source: string;
  readonly ours: string;
  readonly theirs: string;
  /** The rule that decides, with its place. */
  readonly rule: string;
  /** Whether a case differs for this reason. */
  readonly excuses: (source: string, ours: Outcome, theirs: Answer) => boolean;
}

const bothGiveValues = (ours: Outcome, theirs: Answer): boolean =>
  ours.closures !== 'error' && theirs.shown !== 'error';

/** Of cel-go 0.33.2. */
export const CEL_GO_DEVIATIONS: readonly CelGoDeviation[] = [
  {
    source: "duration('1.5s').getMilliseconds()",
    ours: 'int 500',
    theirs: 'int 1500',
    rule: 'Language Definition, `getMilliseconds`: the milliseconds portion of the duration, unlike the other parts',
    excuses: source => source.includes('.getMilliseconds()'),
  },
  {
    source: "timestamp(0).getHours('')",
    ours: 'error',
    theirs: 'int 0',
    rule: 'Language Definition, "Timezones": the grammar of time zones has no empty string',
    excuses: (source, ours) => ours.failure?.includes('eval/invalid-time-zone') === true && /get\w+\(/.test(source),
  },
  {
    source: '1.5 in {1.5: 1}',
    ours: 'error',
    theirs: 'true',
    rule: 'Language Definition, "Aggregate Values": keys of maps are ints, uints, bools and strings',
    excuses: (_source, ours) => /map key must be|eval\/unsupported-key/.test(ours.failure ?? ''),
  },
  {
    source: 'size({[1][0]: 1, [1][0]: 2})',
    ours: 'error',
    theirs: 'int 1',
    rule: 'Language Definition, "Aggregate Values": it is an error to have duplicate keys',
    excuses: (_source, ours) => ours.failure?.includes('eval/duplicate-key') === true,
  },
  {
    source: "'tacocat'.lastIndexOf('a', 30)",
    ours: 'error',
    theirs: 'int -1',
    rule: 'the conformance suite, string_ext: `index_of_offset` and `last_index_of` beyond the string are errors',
    excuses: (source, ours) => /indexOf/i.test(source) && ours.failure?.includes('eval/index-out-of-range') === true,
  },
  {
    source: 'optional.none()[?1 / 0]',
    ours: 'error',
    theirs: 'optional()',
    rule: 'Language Definition, "Runtime Errors": an operator whose operand fails, fails; only the logical ones may not',
    excuses: (source, ours, theirs) =>
      /optional|\[\?/.test(source) && ours.closures === 'error' && theirs.shown !== 'error',
  },
  {
    source: String.raw`base64.decode('YQ==\n')`,
    ours: 'error',
    theirs: 'bytes 97',
    rule: 'RFC 4648, section 3.3: characters outside the alphabet are refused',
    excuses: source => /base64\.decode(Url)?\(.*\\n/.test(source),
  },
  {
    source: "double('1_0')",
    ours: 'error',
    theirs: 'double 10',
    rule: 'Language Definition, "Lexis": floating-point literals have no underscores',
    excuses: source => source.includes('1_0'),
  },
  {
    source: String.raw`json.encode('\u00a0')`,
    ours: String.raw`"\"${'\u00a0'}\""`,
    theirs: String.raw`"\"\\u00a0\""`,
    rule: 'RFC 8259, section 7: only quotes, backslashes and control characters have to be escaped; cel-go quotes short strings as Go source',
    excuses: (source, ours, theirs) => source.includes('json.encode') && bothGiveValues(ours, theirs),
  },
  {
    source: "json.parse('01')",
    ours: 'optional()',
    theirs: 'optional(int 1)',
    rule: 'RFC 8259, section 6: leading zeros are not allowed',
    excuses: source => /["']01["']/.test(source),
  },
  {
    source: "json.parse('1e400')",
    ours: 'optional()',
    theirs: 'error',
    rule: 'ext/design/encoders.md: none for malformed inputs; cel-go makes an optional of an error, which its value then is',
    excuses: source => source.includes('1e400'),
  },
  {
    source: String.raw`json.parse('"a\tb"')`,
    ours: 'optional()',
    theirs: String.raw`optional("a\tb")`,
    rule: 'RFC 8259, section 7: control characters in strings must be escaped',
    excuses: source => /json\.parse.*\\t/.test(source),
  },
  {
    source: "true || ip('x').family() == 4",
    ours: 'true',
    theirs: 'error',
    rule: 'Language Definition, "Logical Operators": a warning of the checker tells of constants that fail, and evaluation decides',
    excuses: (_source, _ours, theirs) => /invalid (ip|cidr) argument/.test(theirs.failure ?? ''),
  },
  {
    source: "string(duration('315000000.000000001s'))",
    ours: '"315000000.000000001s"',
    theirs: '"315000000s"',
    rule: 'decision 3: a duration is written with all its nanoseconds; cel-go rounds it to a double',
    excuses: (source, ours, theirs) => /span|duration|at\b/.test(source) && bothGiveValues(ours, theirs),
  },
  {
    source: "cel.bind(x, regex.replace('a', '(', ''), 1)",
    ours: 'error',
    theirs: 'int 1',
    rule: 'Language Definition, `matches`: a constant that is not an RE2 pattern is refused by the checker, wherever it stands',
    excuses: (_source, ours) => ours.failure?.includes('is not an RE2 pattern') === true,
  },
  {
    source: '[0.0 / 0.0, 0.0, 0.0 / 0.0].sort()',
    ours: '[double 0, double NaN, double NaN]',
    theirs: '[double NaN, double 0, double NaN]',
    rule: 'ext/README.md, `sort`: elements must be comparable, which NaN is not; here it comes last, so that there is an order',
    excuses: (source, ours) => /sort/.test(source) && /NaN/.test(ours.closures),
  },
  {
    source: "json.parse('[1]', list)",
    ours: 'optional([int 1])',
    theirs: 'optional([double 1])',
    rule: 'ext/design/encoders.md has `json.parse` of `[1, 2, 3]` give ints with a type as without one',
    excuses: source => /json\.parse\(.*\b(list|map)\b/.test(source),
  },
  {
    source: "string(timestamp('2024-02-29T12:00:00+05:30'))",
    ours: '"2024-02-29T06:30:00Z"',
    theirs: '"2024-02-29T12:00:00+05:30"',
    rule: 'Language Definition, "Abstract Types": a timestamp is a moment, so that equal ones have one string',
    excuses: (source, ours, theirs) => /\+05:30/.test(source) && bothGiveValues(ours, theirs),
  },
  {
    source: "optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z'))",
    ours: 'optional(timestamp -62135596800 0)',
    theirs: 'optional()',
    rule: 'ext/README.md, `optional.ofNonZeroValue`: zero or empty values; that moment is the zero of Go, not of timestamps',
    excuses: source => /ofNonZeroValue\(.*(timestamp|\bat\b)/.test(source),
  },
  {
    source: "timestamp(0) - duration('-9223372036.854775808s')",
    ours: 'timestamp 9223372036 854775808',
    theirs: 'error',
    rule: 'Language Definition, "Overflow": the result is in the range of timestamps; cel-go negates the duration first',
    excuses: source => source.includes('-9223372036.854775808s'),
  },
  {
    source: "has(json.parse('null').value().a)",
    ours: 'error',
    theirs: 'false',
    rule: 'Language Definition, "Field Selection": an operand without fields makes `has` fail',
    excuses: (source, ours) => source.includes('has(') && ours.failure?.includes('eval/no-matching-overload') === true,
  },
  {
    source: String.raw`'%s'.format([b'\xff'])`,
    ours: `"${'\ufffd'}"`,
    theirs: 'invalid-string 255',
    rule: 'doc/extensions/strings.md: invalid UTF-8 sequences are replaced with U+FFFD',
    excuses: (_source, _ours, theirs) => theirs.shown.includes('invalid-string'),
  },
  {
    source: "ip('::ffff:c0a8:1') == ip('192.168.0.1')",
    ours: 'true',
    theirs: 'error',
    rule: 'the conformance suite, network_ext: `ipv4_equals_ipv6`',
    excuses: source => source.includes('::ffff:c0a8:1'),
  },
];
