import type { Implementation } from '../context/implementation.ts';
import { inContext, partial, total } from '../context/implementation-kinds.ts';
import * as edit from '../strings/edit.ts';
import { formatString } from '../strings/format.ts';
import { quoteString } from '../strings/quote.ts';
import * as search from '../strings/search.ts';

/** Implements the strings library, by overload id. */
export const STRINGS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
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
