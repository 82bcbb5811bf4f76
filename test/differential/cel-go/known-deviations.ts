import type { Outcome } from './cases.ts';
import type { Answer, Question } from './driver.ts';

/** Where cel-go deviates from the specification, or where the specification leaves room and we decided otherwise. */
export interface CelGoDeviation {
  readonly source: string;
  readonly ours: string;
  readonly theirs: string;
  /** The rule that decides, with its location. */
  readonly rule: string;
  /** Returns true if a case differs for this reason. */
  readonly excuses: (difference: Difference) => boolean;
}

/** A question that cel-go and our evaluators answer differently. */
export interface Difference extends Question {
  readonly ours: Outcome;
  readonly theirs: Answer;
}

const bothGiveValues = ({ ours, theirs }: Difference): boolean => ours.closures !== 'error' && theirs.shown !== 'error';
const onlyWeFail = ({ ours, theirs }: Difference): boolean => ours.closures === 'error' && theirs.shown !== 'error';
const failsWith = (difference: Difference, code: string): boolean =>
  onlyWeFail(difference) && difference.ours.failure?.includes(code) === true;

/** Returns true if both outcomes are equal after rewriting every match of the pattern. */
function sameOnce(difference: Difference, pattern: RegExp, rewrite: (found: string) => string): boolean {
  const [ours, theirs] = [difference.ours.closures, difference.theirs.shown].map(shown =>
    shown.replaceAll(pattern, rewrite),
  );
  return bothGiveValues(difference) && ours === theirs;
}

/** Escapes of Go that JSON does not have, and those that are optional in JSON. */
const GO_ESCAPES = /\\\\(u[\da-f]{4}|x[\da-f]{2}|U[\da-f]{8}|[abfnrtv])/g;
const CONTROLS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

function unescapedText(sequence: string): string {
  const code = CONTROLS[sequence.slice(2)] ?? Number.parseInt(sequence.slice(3), 16);
  return JSON.stringify(String.fromCodePoint(code)).slice(1, -1);
}

/** Returns true if both outcomes have the same characters, escaped or not; cel-go prints the keys of a map in random order. */
function sameCharacters(difference: Difference): boolean {
  const [ours, theirs] = [difference.ours.closures, difference.theirs.shown].map(shown =>
    [...shown.replaceAll(GO_ESCAPES, unescapedText)].sort().join(''),
  );
  return bothGiveValues(difference) && ours === theirs;
}

/** Returns the difference between the numbers in two outcomes: ours minus theirs. */
function distance({ ours, theirs }: Difference): number {
  const [own, other] = [ours.closures, theirs.shown].map(shown => Number(/^int (-?\d+)$/.exec(shown)?.[1]));
  return own! - other!;
}

/** For cel-go 0.33.2. */
export const CEL_GO_DEVIATIONS: readonly CelGoDeviation[] = [
  {
    source: "duration('1.5s').getMilliseconds()",
    ours: 'int 500',
    theirs: 'int 1500',
    rule: 'Language Definition, `getMilliseconds`: the milliseconds portion of the duration, unlike the other parts',
    excuses: difference => difference.source.includes('.getMilliseconds()') && bothGiveValues(difference),
  },
  {
    source: "(duration('1ns') - duration('315000000s')).getHours()",
    ours: 'int -87499',
    theirs: 'int -87500',
    rule: 'Language Definition, `getHours`: whole hours are counted exactly; cel-go rounds the duration to a double first',
    excuses: difference =>
      /\.get(Hours|Minutes|Seconds)\(/.test(difference.source) && Math.abs(distance(difference)) === 1,
  },
  {
    source: "timestamp(0).getHours('')",
    ours: 'error',
    theirs: 'int 0',
    rule: 'Language Definition, "Timezones": the grammar of time zones has no empty string',
    excuses: difference => failsWith(difference, 'eval/invalid-time-zone') && /get\w+\(/.test(difference.source),
  },
  {
    source: '1.5 in {1.5: 1}',
    ours: 'error',
    theirs: 'true',
    rule: 'Language Definition, "Aggregate Values": keys of maps are ints, uints, bools and strings',
    excuses: difference => failsWith(difference, 'map key must be') || failsWith(difference, 'eval/unsupported-key'),
  },
  {
    source: 'size({[1][0]: 1, [1][0]: 2})',
    ours: 'error',
    theirs: 'int 1',
    rule: 'Language Definition, "Aggregate Values": it is an error to have duplicate keys',
    excuses: difference => failsWith(difference, 'eval/duplicate-key'),
  },
  {
    source: "'tacocat'.lastIndexOf('a', 30)",
    ours: 'error',
    theirs: 'int -1',
    rule: 'the conformance suite, string_ext: `index_of_offset` and `last_index_of` beyond the string are errors',
    excuses: difference => /indexOf/i.test(difference.source) && failsWith(difference, 'eval/index-out-of-range'),
  },
  {
    source: 'optional.none()[?1 / 0]',
    ours: 'error',
    theirs: 'optional()',
    rule: 'Language Definition, "Runtime Errors": an operator whose operand fails, fails; only the logical ones may not',
    excuses: difference =>
      /\[/.test(difference.source) && onlyWeFail(difference) && difference.theirs.shown === 'optional()',
  },
  {
    source: String.raw`base64.decode('YQ==\n')`,
    ours: 'error',
    theirs: 'bytes 97',
    rule: 'RFC 4648, section 3.3: characters outside the alphabet are refused',
    excuses: difference => /base64\.decode(Url)?\(.*\\n/.test(difference.source) && onlyWeFail(difference),
  },
  {
    source: "double('1_0')",
    ours: 'error',
    theirs: 'double 10',
    rule: 'Language Definition, "Lexis": floating-point literals have no underscores',
    excuses: difference => difference.source.includes('1_0') && onlyWeFail(difference),
  },
  {
    source: String.raw`json.encode('\u00a0')`,
    ours: String.raw`"\"${'\u00a0'}\""`,
    theirs: String.raw`"\"\\u00a0\""`,
    rule: 'RFC 8259, sections 4 and 7: only quotes, backslashes and control characters have to be escaped, and keys have no order; cel-go quotes short strings as Go source',
    excuses: difference => difference.source.includes('json.encode') && sameCharacters(difference),
  },
  {
    source: "json.parse('01')",
    ours: 'optional()',
    theirs: 'optional(int 1)',
    rule: 'RFC 8259, section 6: leading zeros are not allowed',
    excuses: ({ source, ours }) => /["']01["']/.test(source) && ours.closures === 'optional()',
  },
  {
    source: "json.parse('null', list)",
    ours: 'optional()',
    theirs: 'optional([])',
    rule: 'RFC 8259, section 3: null is not an array or an object; cel-go reads it into an empty one, as Go does',
    excuses: ({ source, ours, theirs }) =>
      /null/.test(source) && ours.closures === 'optional()' && /^optional\((\[\]|\{\})\)$/.test(theirs.shown),
  },
  {
    source: 'true ? double : type({})',
    ours: 'type double',
    theirs: 'error',
    rule: 'any two types are values of `type`; cel-go accepts other types next to each other, but not those with parameters',
    excuses: ({ theirs }) => /^check: .*found no matching overload.*\btype\((map|list)\(/s.test(theirs.failure ?? ''),
  },
  {
    source: 'cel.bind(x, int, x == double)',
    ours: 'false',
    theirs: 'error',
    rule: 'Language Definition, "Type Checking": a name is a type only where no variable of that name is in scope',
    excuses: ({ theirs }) => /reference to undefined type/.test(theirs.failure ?? ''),
  },
  {
    source: "-dyn(duration('1s'))",
    ours: 'error',
    theirs: 'duration -1 0',
    rule: 'Standard Definitions, `-_`: ints and doubles have an opposite',
    excuses: difference =>
      /-/.test(difference.source) && onlyWeFail(difference) && /^duration /.test(difference.theirs.shown),
  },
  {
    source: "type(google.protobuf.SourceContext{file_name: 'a'})",
    ours: 'type map',
    theirs: 'type google.protobuf.SourceContext',
    rule: 'values of a declared type with fields are maps of the host, also for `size`, `in` and keys that are no fields',
    excuses: ({ source, ours, theirs }) =>
      (/type\(/.test(source) && ours.closures === 'type map') ||
      (/message|SourceContext/.test(source) &&
        /no such (overload|field)|expected iterable type/.test(theirs.failure ?? '')),
  },
  {
    source: "dyn(b'').map(x, x)",
    ours: 'error',
    theirs: '[]',
    rule: 'Language Definition, "Macros": the range is a list or a map, which bytes are not, empty or not',
    excuses: difference =>
      failsWith(difference, 'eval/no-matching-overload') &&
      /^(true|false|\[\])$/.test(difference.theirs.shown) &&
      /\by\b|b''/.test(difference.source),
  },
  {
    source: "[dyn(1), [optional.none()][0]][1]['a']",
    ours: 'optional()',
    theirs: 'error',
    rule: "`optional.none()['a']` is empty, also for cel-go, which forgets it in a chain of indexes",
    excuses: ({ ours, theirs }) => ours.closures === 'optional()' && /no such key/.test(theirs.failure ?? ''),
  },
  {
    source: 'dyn(1).?a',
    ours: 'error',
    theirs: 'optional()',
    rule: 'Language Definition, "Field Selection": an operand without fields makes `has` fail, and optional selection as well',
    excuses: difference =>
      failsWith(difference, 'eval/no-matching-overload') &&
      /\.\?/.test(difference.source) &&
      difference.theirs.shown === 'optional()',
  },
  {
    source: "string([[duration('1s')], [true]].flatten()[0])",
    ours: '"1s"',
    theirs: 'error',
    rule: 'elements of several types are dynamic; cel-go decides the overload of a call by the first use of their type',
    excuses: ({ source, ours, theirs }) =>
      /flatten\(|unwrapOpt\(|unwrap\(/.test(source) &&
      ours.isDynamic &&
      /no such overload|expected type/.test(theirs.failure ?? ''),
  },
  {
    source: "json.parse('1e400')",
    ours: 'optional()',
    theirs: 'error',
    rule: 'ext/design/encoders.md: none for malformed inputs; cel-go makes an optional of an error, which its value then is',
    excuses: ({ source, ours }) => source.includes('1e400') && ours.closures === 'optional()',
  },
  {
    source: String.raw`json.parse('"a\tb"')`,
    ours: 'optional()',
    theirs: String.raw`optional("a\tb")`,
    rule: 'RFC 8259, section 7: control characters in strings must be escaped',
    excuses: ({ source, ours }) => /json\.parse.*\\t/.test(source) && ours.closures === 'optional()',
  },
  {
    source: "true || ip('x').family() == 4",
    ours: 'true',
    theirs: 'error',
    rule: 'Language Definition, "Logical Operators": a warning of the checker tells of constants that fail, and evaluation decides',
    excuses: ({ theirs }) => /^check: .*\n?.*invalid (ip|cidr) argument/.test(theirs.failure ?? ''),
  },
  {
    source: "string(duration('315000000.000000001s'))",
    ours: '"315000000.000000001s"',
    theirs: '"315000000s"',
    rule: 'decision 3: a duration is written with all its nanoseconds; cel-go rounds it to a double',
    excuses: difference => sameOnce(difference, /-?\d+(\.\d+)?s/g, text => Number.parseFloat(text).toPrecision(15)),
  },
  {
    source: "cel.bind(x, regex.replace('a', '(', ''), 1)",
    ours: 'error',
    theirs: 'int 1',
    rule: 'Language Definition, `matches`: a constant that is not a valid RE2 pattern is refused by the checker, wherever it stands',
    excuses: difference => failsWith(difference, 'is not a valid RE2 pattern'),
  },
  {
    source: '[0.0 / 0.0, 0.0, 0.0 / 0.0].sort()',
    ours: '[double 0, double NaN, double NaN]',
    theirs: '[double NaN, double 0, double NaN]',
    rule: 'ext/README.md, `sort`: elements must be comparable, which NaN is not; here it comes last, so that there is an order',
    excuses: difference =>
      /sort/.test(difference.source) && /NaN/.test(difference.ours.closures) && bothGiveValues(difference),
  },
  {
    source: "json.parse('[1]', list)",
    ours: 'optional([int 1])',
    theirs: 'optional([double 1])',
    rule: 'ext/design/encoders.md has `json.parse` of `[1, 2, 3]` give ints with a type as without one',
    excuses: difference =>
      /json\.parse\(.*\b(list|map)\b/.test(difference.source) && sameOnce(difference, /\b(int|double) /g, () => ''),
  },
  {
    source: "string(timestamp('2024-02-29T12:00:00+05:30'))",
    ours: '"2024-02-29T06:30:00Z"',
    theirs: '"2024-02-29T12:00:00+05:30"',
    rule: 'Language Definition, "Abstract Types": a timestamp is a moment, so that equal ones have one string',
    excuses: difference => sameOnce(difference, /[\d-]+T[\d:.]+(Z|[+-]\d\d:\d\d)/g, text => String(Date.parse(text))),
  },
  {
    source: "optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z'))",
    ours: 'optional(timestamp -62135596800 0)',
    theirs: 'optional()',
    rule: 'ext/README.md, `optional.ofNonZeroValue`: zero or empty values; that moment is the zero of Go, not of timestamps',
    excuses: ({ source, ours, theirs }) =>
      /ofNonZeroValue/.test(source) &&
      ours.closures === 'optional(timestamp -62135596800 0)' &&
      theirs.shown === 'optional()',
  },
  {
    source: "timestamp(0) - duration('-9223372036.854775808s')",
    ours: 'timestamp 9223372036 854775808',
    theirs: 'error',
    rule: 'Language Definition, "Overflow": the result is in the range of timestamps; cel-go negates the duration first',
    excuses: ({ source, theirs }) => source.includes('-9223372036.854775808s') && theirs.shown === 'error',
  },
  {
    source: "has(json.parse('null').value().a)",
    ours: 'error',
    theirs: 'false',
    rule: 'Language Definition, "Field Selection": an operand without fields makes `has` fail',
    excuses: difference => difference.source.includes('has(') && failsWith(difference, 'eval/no-matching-overload'),
  },
  {
    source: String.raw`'%s'.format([b'\xff'])`,
    ours: `"${'\ufffd'}"`,
    theirs: 'invalid-string 255',
    rule: 'doc/extensions/strings.md: invalid UTF-8 sequences are replaced with U+FFFD',
    excuses: ({ theirs }) => theirs.shown.includes('invalid-string'),
  },
  {
    source: "ip('::ffff:c0a8:1') == ip('192.168.0.1')",
    ours: 'true',
    theirs: 'error',
    rule: 'the conformance suite, network_ext: `ipv4_equals_ipv6`',
    excuses: ({ source, theirs }) => source.includes('::ffff:c0a8:1') && /^(error|false)$/.test(theirs.shown),
  },
  {
    source: '[-9223372036854775807 - 1][0] % -1',
    ours: 'int 0',
    theirs: 'error',
    rule: 'Language Definition, "Overflow": an error where the result exceeds the range, which 0 does not',
    excuses: ({ source, theirs }) => /%/.test(source) && /integer overflow/.test(theirs.failure ?? ''),
  },
];

/** Deviations of types only, ours first. */
export const CEL_GO_TYPE_DEVIATIONS: readonly CelGoDeviation[] = [
  {
    source: "[duration('1s'), null]",
    ours: 'list(duration)',
    theirs: 'list(null)',
    rule: 'Language Definition, "Gradual Type Checking": the type of a join includes both types; cel-go keeps null, or forgets it',
    excuses: ({ ours, theirs }) => ours.narrowed.includes(theirs.type!),
  },
  {
    source: "dyn([1]) + ['a']",
    ours: 'list(dyn)',
    theirs: 'list(string)',
    rule: 'Language Definition, "Gradual Type Checking": a dynamic list may hold anything; cel-go has it hold what the other operand does',
    excuses: ({ ours, theirs }) => ours.isDynamic && isWider(ours.type!, theirs.type!),
  },
  {
    source: "math.greatest([].sortBy(v, 'a'))",
    ours: 'int',
    theirs: 'double',
    rule: 'the type of the elements of an empty list is free, so that every overload matches; either takes its first',
    excuses: ({ theirs }) => /math\.@(min|max)\(list\) argument must not be empty/.test(theirs.failure ?? ''),
  },
  {
    source: 'dyn({1: 2})[?1]',
    ours: 'optional_type(dyn)',
    theirs: 'dyn',
    rule: 'every overload of optional indexing gives an optional; cel-go joins the results of several overloads to dyn',
    excuses: ({ source, ours, theirs }) => /\[\?/.test(source) && theirs.type === 'dyn' && /^optional/.test(ours.type!),
  },
  {
    source: '[map][?0].orValue(int)',
    ours: 'type(dyn)',
    theirs: 'type(map(dyn, dyn))',
    rule: 'any two types are values of `type`, whichever comes first; cel-go keeps the first',
    excuses: ({ ours, theirs }) => [ours.type, theirs.type].every(type => /\btype\(/.test(type!)),
  },
];

/** Returns true if the first type is the second with some parts replaced by dyn. */
function isWider(wide: string, narrow: string): boolean {
  const pieces = wide.split(/\bdyn\b/).map(piece => piece.replaceAll(/[()]/g, '\\$&'));
  return pieces.length > 1 && new RegExp(`^${pieces.join('.+')}$`).test(narrow);
}
