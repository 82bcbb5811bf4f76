import type { Shown } from './engines.ts';

/** Where another engine deviates from the specification. The generator leaves these out of the comparison. */
interface Deviation {
  readonly source: string;
  readonly ours: Shown;
  readonly theirs: Shown;
  /** The rule that decides, with its location. */
  readonly rule: string;
}

/** For `@bufbuild/cel` 0.6. */
export const BUFBUILD_DEVIATIONS: readonly Deviation[] = [
  {
    source: 'timestamp(1)',
    ours: 'timestamp 1 0',
    theirs: 'timestamp 0 1000000',
    rule: 'Standard Definitions, `timestamp`: an int is seconds since the epoch, not milliseconds',
  },
  {
    source: 'double("x")',
    ours: 'error',
    theirs: 'double NaN',
    rule: 'Standard Definitions, `double`: a string that is not a number is an error',
  },
  {
    source: 'uint("")',
    ours: 'error',
    theirs: 'uint 0',
    rule: 'Standard Definitions, `uint`: a string that is not a number is an error',
  },
  {
    source: 'int("")',
    ours: 'error',
    theirs: 'int 0',
    rule: 'Standard Definitions, `int`: a string that is not a number is an error',
  },
  {
    source: 'has(table.a)',
    ours: 'error',
    theirs: 'false',
    rule: 'Language Definition, "Field Selection": an operand that fails makes `has` fail; the variable has no value',
  },
  {
    source: "b'😀'",
    ours: 'bytes 240 159 152 128',
    theirs: 'bytes 239 191 189 239 191 189',
    rule: 'Language Definition, "String and Bytes Values": the octets of the UTF-8 encoding',
  },
  {
    source: "string(duration('1.5s'))",
    ours: '"1.5s"',
    theirs: '"1.500s"',
    rule: 'Standard Definitions, `string`: the reference implementation prints no more digits than there are',
  },
  {
    source: "timestamp('0001-01-01T00:00:00Z').getFullYear()",
    ours: 'int 1',
    theirs: 'int 1901',
    rule: 'Standard Definitions, `getFullYear`: years from 1 on, not JavaScript’s two-digit years',
  },
  {
    source: "timestamp('9999-12-31T23:59:59.999999999Z').getMonth()",
    ours: 'int 11',
    theirs: 'int 0',
    rule: 'Standard Definitions, `getMonth`: nanoseconds do not round up to the next year',
  },
  {
    source: "(timestamp('1970-01-01T00:00:00Z') - duration('1ns')).getFullYear()",
    ours: 'int 1969',
    theirs: 'int 1970',
    rule: 'Standard Definitions, `getFullYear`: nanoseconds do not round up',
  },
  {
    source: '-(-(-9223372036854775807 - 1))',
    ours: 'error',
    theirs: 'int -9223372036854775808',
    rule: 'Standard Definitions, `-_`: the least int has no opposite; two signs do not cancel each other',
  },
  {
    source: '9223372036854775808u / 1u',
    ours: 'uint 9223372036854775808',
    theirs: 'error',
    rule: 'Standard Definitions, `/`: a quotient within the range of uint does not overflow',
  },
  {
    source: "'\\uffff' < '😀'",
    ours: 'true',
    theirs: 'false',
    rule: 'Standard Definitions, `<`: strings are ordered by code points, not by UTF-16 units',
  },
  {
    source: 'dyn(9223372036854775807) == 9223372036854775808.0',
    ours: 'true',
    theirs: 'false',
    rule: 'the conformance suite’s `big_lossy_double`: an int beside a double is rounded to a double',
  },
];

/** For `cel-js` 0.8: what the subset leaves out, with one example each. */
export const CEL_JS_DEVIATIONS: readonly Deviation[] = [
  { source: '5 / 2', ours: 'int 2', theirs: 'int 2.5', rule: 'int division is cut towards zero' },
  {
    source: '9223372036854775807 + 1',
    ours: 'error',
    theirs: 'int 9223372036854776000',
    rule: 'an int out of range is an error',
  },
  { source: 'true || 1 / 0 == 1', ours: 'true', theirs: 'error', rule: '`||` absorbs errors and stops early' },
  { source: '"a".size() == 1', ours: 'true', theirs: 'error', rule: 'functions can be called on their first argument' },
  { source: 'size("😀")', ours: 'int 1', theirs: 'int 2', rule: 'the size of a string is that in code points' },
  { source: '{"a": 1, "a": 2}', ours: 'error', theirs: '{"a": int 2}', rule: 'a repeated key is an error' },
  {
    source: '{"a": 10, "b": -5}',
    ours: '{"a": int 10, "b": int -5}',
    theirs: 'error',
    rule: 'negative ints are of the same type as others',
  },
  { source: '[1].all(x, x > 0)', ours: 'true', theirs: 'error', rule: 'a macro goes through any list' },
  { source: 'has({"a": 1}.a)', ours: 'true', theirs: 'error', rule: 'the operand of `has` is any selection' },
  { source: 'false < true', ours: 'true', theirs: 'error', rule: 'bools are ordered' },
  { source: '[[1]][0][0]', ours: 'int 1', theirs: 'error', rule: 'an index can follow an index' },
];
