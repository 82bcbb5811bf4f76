import { INT, listOf, optionalOf, STRING } from '../ast/types.ts';
import { compileRe2 } from '../regex/re2.ts';
import { type Implementation, inContext } from '../runtime/context.ts';
import {
  extractMatch,
  extractMatches,
  matchesPattern,
  replaceMatches,
  replaceMatchesUpTo,
} from '../runtime/regex-functions.ts';
import { declare, type Library, overload } from './library.ts';

/** Implements the regex library, by overload id. */
const REGEX_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  regex_extract_string_string: inContext(extractMatch),
  regex_extractAll_string_string: inContext(extractMatches),
  regex_replace_string_string_string: inContext(replaceMatches),
  regex_replace_string_string_string_int: inContext(replaceMatchesUpTo),
};

const PATTERN = { kind: 'pattern', arg: 1 } as const;

/** Functions with regular expressions in RE2 syntax; an invalid pattern is an error. */
export const REGEX_LIBRARY: Library = {
  name: 'regex',
  functions: [
    declare(
      'regex.extract',
      'Returns what the capture group, or the whole pattern if it has none, matches first; empty if nothing or the empty string. More than one group is an error.',
      overload('regex_extract_string_string', [STRING, STRING], optionalOf(STRING), [
        "regex.extract('item-A, item-B', 'item-([A-Z])').value()",
        "'A'",
      ]),
    ),
    declare(
      'regex.extractAll',
      'Returns what the capture group, or the whole pattern if it has none, captures in each match, without empty strings. More than one group is an error.',
      overload('regex_extractAll_string_string', [STRING, STRING], listOf(STRING), [
        "regex.extractAll('id:123, id:456', 'id:[0-9]+')",
        "['id:123', 'id:456']",
      ]),
    ),
    declare(
      'regex.replace',
      'Replaces matches, at most as many as a limit unless it is negative. In the replacement, `\\1` to `\\9` refer to groups, `\\0` to the match, and `\\\\` is a backslash.',
      overload('regex_replace_string_string_string', [STRING, STRING, STRING], STRING, [
        "regex.replace('foo bar', '(fo)o (ba)r', r'\\2 \\1')",
        "'ba fo'",
      ]),
      overload('regex_replace_string_string_string_int', [STRING, STRING, STRING, INT], STRING, [
        "regex.replace('banana', 'a', 'x', 2)",
        "'bxnxna'",
      ]),
    ),
  ],
  macros: [],
  constants: [],
  implementations: REGEX_IMPLEMENTATIONS,
  constantChecks: {
    regex_extract_string_string: PATTERN,
    regex_extractAll_string_string: PATTERN,
    regex_replace_string_string_string: PATTERN,
    regex_replace_string_string_string_int: PATTERN,
  },
};

/**
 * The RE2 engine for `matches`. Without it, patterns that V8 cannot run in linear time are `eval/no-pattern-engine`. Separate because the
 * engine is 47 kB compressed, and most patterns run on V8.
 */
export const RE2_LIBRARY: Library = {
  name: 're2',
  functions: [],
  macros: [],
  constants: [],
  implementations: { matches: inContext(matchesPattern), matches_string: inContext(matchesPattern) },
  patternEngine: compileRe2,
};
