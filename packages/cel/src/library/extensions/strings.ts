import { STRINGS_IMPLEMENTATIONS } from '../../runtime/implementations/strings.ts';
import { DYN, INT, listOf, STRING } from '../../types/type.ts';
import { declare, member, overload } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';
import { formatFaultsOf } from './format-faults.ts';

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
