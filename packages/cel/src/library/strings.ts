import type { CallExpr, Expr } from '../ast/ast.ts';
import { DYN, formatType, INT, listOf, STRING, type Type } from '../ast/types.ts';
import { type Implementation, inContext, partial, total } from '../runtime/context.ts';
import { CLAUSE, formatString, MAX_PRECISION } from '../runtime/format.ts';
import * as edit from '../runtime/strings.ts';
import * as search from '../runtime/strings.ts';
import { quoteString } from '../runtime/strings.ts';
import { type ConstantFormat, declare, type FormatFault, type Library, member, overload } from './library.ts';

/** Implements the strings library, by overload id. */
const STRINGS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  string_char_at_int: partial(search.charAt),
  string_index_of_string: total(search.indexOfString),
  string_index_of_string_int: partial(search.indexOfStringFrom),
  string_last_index_of_string: total(search.lastIndexOfString),
  string_last_index_of_string_int: partial(search.lastIndexOfStringFrom),
  string_substring_int: partial(search.substringFrom),
  string_substring_int_int: partial(search.substring),
  string_lower_ascii: total(edit.lowerAscii),
  string_upper_ascii: total(edit.upperAscii),
  string_reverse: total(edit.reverseString),
  string_trim: total(edit.trimString),
  list_join: inContext(edit.joinStrings),
  list_join_string: inContext(edit.joinStringsWith),
  string_split_string: inContext(edit.splitString),
  string_split_string_int: inContext(edit.splitStringInto),
  string_replace_string_string: inContext(edit.replaceString),
  string_replace_string_string_int: inContext(edit.replaceStringUpTo),
  string_format: inContext(formatString),
  strings_quote: inContext(quoteString),
};

/**
 * Returns the reasons why `text.format([…])` fails in every run: an invalid clause, a value of the wrong type, fewer values than clauses.
 * Also reports more values than clauses, which only the checker of the reference implementation refuses.
 */
function formatFaultsOf(call: CallExpr, format: ConstantFormat): readonly FormatFault[] {
  const [list] = call.args;
  if (list?.kind !== 'list' || list.optionalIndices.length > 0) return [];
  const faults: FormatFault[] = [];
  let used = 0;
  for (const match of format.text.matchAll(CLAUSE)) {
    const [clause, percent, precision = '0', letter] = match;
    if (percent !== undefined) continue;
    if (letter === undefined || Number(precision) > MAX_PRECISION) return [...faults, clauseFault(format, match.index)];
    const value = list.elements[used++];
    const fault = value && valueFault({ clause, letter, value }, format.types[value.id]);
    if (fault !== undefined) faults.push(fault);
  }
  return used === list.elements.length ? faults : [...faults, countFault(format, used, list.elements.length)];
}

function clauseFault(format: ConstantFormat, offset: number): FormatFault {
  const [clause] = /^%[.\d]*.?/su.exec(format.text.slice(offset))!;
  return {
    message: `\`${clause}\` is not a format clause; write \`%%\` for a percent sign, or a clause such as \`%s\` or \`%.2f\``,
    range: format.rangeAt(offset),
    args: { clause },
  };
}

const NUMBERS = ['int', 'uint', 'double'];

/** The types that a clause accepts, by its letter; `%s` accepts all but those of libraries. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  d: NUMBERS,
  f: NUMBERS,
  e: NUMBERS,
  b: ['bool', 'int', 'uint'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
};

const UNKNOWN_KINDS: readonly Type['kind'][] = ['dyn', 'error', 'param', 'wrapper'];

function valueFault(
  { clause, letter, value }: { readonly clause: string; readonly letter: string; readonly value: Expr },
  type: Type | undefined,
): FormatFault | undefined {
  if (type === undefined || UNKNOWN_KINDS.includes(type.kind)) return undefined;
  const accepted = ACCEPTED[letter];
  const isAccepted =
    accepted === undefined ? !['optional', 'opaque'].includes(type.kind) : accepted.includes(type.kind);
  if (isAccepted) return undefined;
  const found = formatType(type);
  const expected = accepted?.join(', ') ?? 'a value of the standard types';
  return {
    message: `\`${clause}\` cannot format a value of type ${found}; expected ${expected}`,
    range: value.range,
    args: { clause, found, expected },
  };
}

function countFault({ range }: ConstantFormat, clauses: number, values: number): FormatFault {
  const remedy = clauses > values ? 'add a value for each clause' : 'remove the values that no clause uses';
  return {
    message: `the format has ${counted(clauses, 'clause')} for ${counted(values, 'value')}; ${remedy}`,
    range,
    args: { clauses, values },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Functions on strings. Positions count code points from 0. */
export const STRINGS_LIBRARY: Library = {
  name: 'strings',
  functions: [
    declare(
      'charAt',
      'Returns the character at a position; the empty string at the end. A position outside the string is an error.',
      member('string_char_at_int', [STRING, INT], STRING, ["'hello'.charAt(4)", "'o'"]),
    ),
    declare(
      'indexOf',
      'Returns the position of the first occurrence of a substring, starting at the given position; -1 if there is none.',
      member('string_index_of_string', [STRING, STRING], INT, ["'hello mellow'.indexOf('ello')", '1']),
      member('string_index_of_string_int', [STRING, STRING, INT], INT, ["'hello mellow'.indexOf('ello', 2)", '7']),
    ),
    declare(
      'lastIndexOf',
      'Returns the position of the last occurrence of a substring that starts at or before the given position; -1 if there is none.',
      member('string_last_index_of_string', [STRING, STRING], INT, ["'hello mellow'.lastIndexOf('ello')", '7']),
      member('string_last_index_of_string_int', [STRING, STRING, INT], INT, [
        "'hello mellow'.lastIndexOf('ello', 6)",
        '1',
      ]),
    ),
    declare(
      'join',
      'Concatenates the strings of a list, with an optional separator between them.',
      member('list_join', [listOf(STRING)], STRING, ["['a', 'b'].join()", "'ab'"]),
      member('list_join_string', [listOf(STRING), STRING], STRING, ["['a', 'b'].join(', ')", "'a, b'"]),
    ),
    declare(
      'lowerAscii',
      'Converts the letters A to Z to lowercase; other characters stay.',
      member('string_lower_ascii', [STRING], STRING, ["'TacoCÆt'.lowerAscii()", "'tacocÆt'"]),
    ),
    declare(
      'upperAscii',
      'Converts the letters a to z to uppercase; other characters stay.',
      member('string_upper_ascii', [STRING], STRING, ["'TacoCæt'.upperAscii()", "'TACOCæT'"]),
    ),
    declare(
      'replace',
      'Replaces every occurrence of a substring, or at most as many as a limit unless it is negative.',
      member('string_replace_string_string', [STRING, STRING, STRING], STRING, [
        "'hello hello'.replace('he', 'we')",
        "'wello wello'",
      ]),
      member('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, [
        "'hello hello'.replace('he', 'we', 1)",
        "'wello hello'",
      ]),
    ),
    declare(
      'reverse',
      'Returns the string with its characters in reverse order.',
      member('string_reverse', [STRING], STRING, ["'gums'.reverse()", "'smug'"]),
    ),
    declare(
      'split',
      'Splits the string at a separator, into at most as many parts as a limit unless it is negative.',
      member('string_split_string', [STRING, STRING], listOf(STRING), ["'a,b,c'.split(',')", "['a', 'b', 'c']"]),
      member('string_split_string_int', [STRING, STRING, INT], listOf(STRING), [
        "'a,b,c'.split(',', 2)",
        "['a', 'b,c']",
      ]),
    ),
    declare(
      'substring',
      'Returns the characters from one position up to, but not including, another one or the end. A position outside the string is an error.',
      member('string_substring_int', [STRING, INT], STRING, ["'tacocat'.substring(4)", "'cat'"]),
      member('string_substring_int_int', [STRING, INT, INT], STRING, ["'tacocat'.substring(0, 4)", "'taco'"]),
    ),
    declare(
      'trim',
      'Removes Unicode white space from both ends.',
      member('string_trim', [STRING], STRING, ["'  \\ttrim\\n '.trim()", "'trim'"]),
    ),
    declare(
      'format',
      'Formats the elements of a list: %s any value, %d numbers, %f and %e doubles (%.2f sets the digits), %b binary, %o octal, %x and %X hexadecimal, %% a percent sign.',
      member('string_format', [STRING, listOf(DYN)], STRING, [
        "'%s is %d years, %.1f%%'.format(['Ada', 36, 99.5])",
        "'Ada is 36 years, 99.5%'",
      ]),
    ),
    declare(
      'strings.quote',
      'Returns the string in double quotes, with escapes for quotes, backslashes and control characters.',
      overload('strings_quote', [STRING], STRING, ['strings.quote(\'a "b"\')', `'"a \\\\"b\\\\""'`]),
    ),
  ],
  macros: [],
  constants: [],
  implementations: STRINGS_IMPLEMENTATIONS,
  constantChecks: { string_format: { kind: 'format', faultsOf: formatFaultsOf } },
};
