import type { Implementation } from '../context/implementation.ts';
import { inContext } from '../context/implementation-kinds.ts';
import { extractMatch, extractMatches, replaceMatches, replaceMatchesUpTo } from '../matching/regex-functions.ts';

/** Implements the regex library, by overload id. */
export const REGEX_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  regex_extract_string_string: inContext(extractMatch),
  regex_extractAll_string_string: inContext(extractMatches),
  regex_replace_string_string_string: inContext(replaceMatches),
  regex_replace_string_string_string_int: inContext(replaceMatchesUpTo),
};
