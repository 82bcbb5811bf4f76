import { expect, test } from 'vitest';
import { createEnvironment } from '../../environment/environment.ts';
import { EXTENSION_LIBRARIES } from '../../libraries/extension-libraries.ts';
import { parse } from '../../syntax/parse.ts';
import { listOf, STRING, TIMESTAMP } from '../../types/type.ts';
import { check } from '../check.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'path', type: STRING },
    { name: 'tags', type: listOf(STRING) },
    { name: 'time', type: TIMESTAMP },
  ],
});

const TIMESTAMP_HINT = 'expected a timestamp such as `2026-01-31T12:00:00Z`';
const DURATION_HINT = 'expected a duration such as `1h30m` or `0.5s`';
const ZONE = 'expected a time zone such as `Europe/Berlin` or `+02:00`';
const ADDRESS = 'expected an IP address such as `10.0.0.1` or `2001:db8::1`';
const ADDRESSES = 'expected an IP address range such as `10.0.0.0/8` or `2001:db8::/32`';
const UNCLOSED = 'is not a valid RE2 pattern: unclosed `(`';

test.each([
  ["path.matches('^(GET|POST)$')", undefined],
  ["path.matches('a(b')", `error at (b: \`a(b\` ${UNCLOSED}`],
  [
    "matches(path, r'a\\1')",
    'error at \\1: `a\\1` is not a valid RE2 pattern: back-references such as `\\1` are not in RE2',
  ],
  ["path.matches('(?=a)')", 'error at (?=a): `(?=a)` is not a valid RE2 pattern: look-around is not in RE2'],
  ["path.matches('\\\\d(')", `error at '\\\\d(': \`\\d(\` ${UNCLOSED}`],
  ["path.matches('''(''')", `error at (: \`(\` ${UNCLOSED}`],
  ["tags.all(t, t.matches('('))", `error at (: \`(\` ${UNCLOSED}`],
  ["regex.replace(path, '[', 'b')", 'error at [: `[` is not a valid RE2 pattern: unclosed character class'],
  [
    "path.matches('[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}')",
    "error at '[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}': the regular expression is larger than the limit `maxPatternSize`",
  ],
  ["timestamp('2026-02-30')", `warning at '2026-02-30': \`timestamp\` fails for \`2026-02-30\`; ${TIMESTAMP_HINT}`],
  ["timestamp('2026-02-28T00:00:00Z')", undefined],
  ["duration('5 minutes')", `warning at '5 minutes': \`duration\` fails for \`5 minutes\`; ${DURATION_HINT}`],
  ["int('1.5') + int('15')", "warning at '1.5': `int` fails for `1.5`; expected an integer that fits in 64 bits"],
  ["uint('-1')", "warning at '-1': `uint` fails for `-1`; expected an unsigned integer that fits in 64 bits"],
  ["double('x')", "warning at 'x': `double` fails for `x`; expected a number"],
  ["bool('yes')", "warning at 'yes': `bool` fails for `yes`; expected `true` or `false`"],
  ["ip('10.0.0.256').family()", `warning at '10.0.0.256': \`ip\` fails for \`10.0.0.256\`; ${ADDRESS}`],
  [
    "cidr('10.0.0.0/8').containsIP('10.0.0.1/8')",
    `warning at '10.0.0.1/8': \`containsIP\` fails for \`10.0.0.1/8\`; ${ADDRESS}`,
  ],
  ["cidr('10.0.0.0').containsIP('10.0.0.1')", `warning at '10.0.0.0': \`cidr\` fails for \`10.0.0.0\`; ${ADDRESSES}`],
  ["'%s is %d%%'.format([path, 1])", undefined],
  ["'%x %o %b %e %.2f'.format([path, 1u, true, 1, 1u])", undefined],
  ["'%s %d'.format([path, dyn(path)])", undefined],
  ["'%d'.format(tags)", undefined],
  [
    "'a %i'.format([1])",
    'error at %i: `%i` is not a format clause; write `%%` for a percent sign, or a clause such as `%s` or `%.2f`',
  ],
  [
    "'100%'.format([])",
    'error at %: `%` is not a format clause; write `%%` for a percent sign, or a clause such as `%s` or `%.2f`',
  ],
  ["'%d'.format([path])", 'error at path: `%d` cannot format a value of type string; expected int, uint, double'],
  [
    "'%s'.format([ip('::1')])",
    "error at ip('::1'): `%s` cannot format a value of type net.IP; expected a value of the standard types",
  ],
  ["'%s %s'.format([path])", "error at '%s %s': the format has 2 clauses for 1 value; add a value for each clause"],
  ["'%%'.format([path])", "error at '%%': the format has 0 clauses for 1 value; remove the values that no clause uses"],
  ["isIP('nonsense')", undefined],
  ["time.getHours('Mars/Polis')", `warning at 'Mars/Polis': \`getHours\` fails for \`Mars/Polis\`; ${ZONE}`],
  ["time.getHours('+02:00')", undefined],
])('%s reports %s', (source, expected) => {
  const { diagnostics } = check(parse(source, ENV).ast, ENV);
  const found = diagnostics.map(({ severity, range, message }) => {
    return `${severity} at ${source.slice(range.start, range.end)}: ${message}`;
  });
  expect(found).toEqual(expected === undefined ? [] : [expected]);
});
