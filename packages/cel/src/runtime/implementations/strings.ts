import type { Implementation } from '../context/implementation.ts';
import { inContext, partial, total } from '../context/implementation-kinds.ts';
import * as edit from '../strings/edit.ts';
import { formatText } from '../strings/format.ts';
import { quoteText } from '../strings/quote.ts';
import * as search from '../strings/search.ts';

/** Implements the strings library, by overload id. */
export const STRINGS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  string_char_at_int: partial(search.charAt),
  string_index_of_string: total(search.indexOfText),
  string_index_of_string_int: partial(search.indexOfTextFrom),
  string_last_index_of_string: total(search.lastIndexOfText),
  string_last_index_of_string_int: partial(search.lastIndexOfTextFrom),
  string_substring_int: partial(search.substringFrom),
  string_substring_int_int: partial(search.substring),
  string_lower_ascii: total(edit.lowerAscii),
  string_upper_ascii: total(edit.upperAscii),
  string_reverse: total(edit.reverseText),
  string_trim: total(edit.trimText),
  list_join: inContext(edit.joinTexts),
  list_join_string: inContext(edit.joinTextsWith),
  string_split_string: inContext(edit.splitText),
  string_split_string_int: inContext(edit.splitTextInto),
  string_replace_string_string: inContext(edit.replaceText),
  string_replace_string_string_int: inContext(edit.replaceTextUpTo),
  string_format: inContext(formatText),
  strings_quote: inContext(quoteText),
};
