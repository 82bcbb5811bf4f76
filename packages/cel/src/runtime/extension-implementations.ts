import { identity } from '../values/scalar.ts';
import {
  distinctList,
  firstOfList,
  flattenList,
  flattenListTo,
  lastOfList,
  rangeList,
  reverseList,
  sliceList,
} from './collections/lists.ts';
import { insertEntries, insertEntry } from './collections/map-insert.ts';
import * as optionals from './collections/optionals.ts';
import { containsSet, equivalentSets, intersectsSet, isSubset } from './collections/sets.ts';
import { sortByKeys, sortByUintKeys, sortList, sortUintList } from './collections/sort.ts';
import type { Implementation, ImplementationFunction } from './context/implementation.ts';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './encodings/base64.ts';
import { encodeJson, parseJson, parseJsonAs } from './encodings/json.ts';
import { extractMatch, extractMatches, replaceMatches, replaceMatchesUpTo } from './matching/regex-functions.ts';
import * as bits from './math/bits.ts';
import * as extremes from './math/extremes.ts';
import * as rounding from './math/rounding.ts';
import * as address from './network/address.ts';
import * as range from './network/range.ts';
import * as edit from './strings/edit.ts';
import { formatText } from './strings/format.ts';
import { quoteText } from './strings/quote.ts';
import * as search from './strings/search.ts';

/** Never fails. */
function total(call: ImplementationFunction): Implementation {
  return { call, total: true };
}

/** May give an error or an unknown. */
function partial(call: ImplementationFunction): Implementation {
  return { call, total: false };
}

/** May fail, and takes the run's context first. */
function inContext(call: ImplementationFunction): Implementation {
  return { call, total: false, needsContext: true };
}

const STRINGS = {
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

const NUMBERS = {
  math_ceil_double: total(rounding.ceiling),
  math_floor_double: total(rounding.floor),
  math_round_double: total(rounding.round),
  math_trunc_double: total(rounding.truncate),
  math_abs_int: partial(rounding.absoluteInt),
  math_abs_uint: total(identity),
  math_abs_double: total(rounding.absoluteDouble),
  math_sign_int: total(rounding.signOfInteger),
  math_sign_uint: total(rounding.signOfInteger),
  math_sign_double: total(rounding.signOfDouble),
  math_sqrt_int: total(rounding.squareRoot),
  math_sqrt_uint: total(rounding.squareRoot),
  math_sqrt_double: total(rounding.squareRoot),
  math_isInf_double: total(rounding.isInfinite),
  math_isNaN_double: total(rounding.isNotANumber),
  math_isFinite_double: total(rounding.isFiniteNumber),
  math_bitAnd_int_int: total(bits.bitAnd),
  math_bitAnd_uint_uint: total(bits.bitAnd),
  math_bitOr_int_int: total(bits.bitOr),
  math_bitOr_uint_uint: total(bits.bitOr),
  math_bitXor_int_int: total(bits.bitXor),
  math_bitXor_uint_uint: total(bits.bitXor),
  math_bitNot_int_int: total(bits.bitNotInt),
  math_bitNot_uint_uint: total(bits.bitNotUint),
  math_bitShiftLeft_int_int: partial(bits.shiftLeftInt),
  math_bitShiftLeft_uint_int: partial(bits.shiftLeftUint),
  math_bitShiftRight_int_int: partial(bits.shiftRightInt),
  math_bitShiftRight_uint_int: partial(bits.shiftRightUint),
};

const LEAST = {
  'math_@min_int': total(identity),
  'math_@min_uint': total(identity),
  'math_@min_double': total(identity),
  'math_@min_int_int': total(extremes.least),
  'math_@min_uint_uint': total(extremes.least),
  'math_@min_double_double': partial(extremes.leastDouble),
  'math_@min_int_uint': total(extremes.leastIntUint),
  'math_@min_int_double': partial(extremes.leastIntDouble),
  'math_@min_uint_int': total(extremes.leastUintInt),
  'math_@min_uint_double': partial(extremes.leastUintDouble),
  'math_@min_double_int': partial(extremes.leastDoubleInt),
  'math_@min_double_uint': partial(extremes.leastDoubleUint),
  'math_@min_list_int': { ...partial(extremes.leastOfInts), mixed: extremes.leastOfNumbers },
  'math_@min_list_uint': partial(extremes.leastOfUints),
  'math_@min_list_double': partial(extremes.leastOfDoubles),
};

const GREATEST = {
  'math_@max_int': total(identity),
  'math_@max_uint': total(identity),
  'math_@max_double': total(identity),
  'math_@max_int_int': total(extremes.greatest),
  'math_@max_uint_uint': total(extremes.greatest),
  'math_@max_double_double': partial(extremes.greatestDouble),
  'math_@max_int_uint': total(extremes.greatestIntUint),
  'math_@max_int_double': partial(extremes.greatestIntDouble),
  'math_@max_uint_int': total(extremes.greatestUintInt),
  'math_@max_uint_double': partial(extremes.greatestUintDouble),
  'math_@max_double_int': partial(extremes.greatestDoubleInt),
  'math_@max_double_uint': partial(extremes.greatestDoubleUint),
  'math_@max_list_int': { ...partial(extremes.greatestOfInts), mixed: extremes.greatestOfNumbers },
  'math_@max_list_uint': partial(extremes.greatestOfUints),
  'math_@max_list_double': partial(extremes.greatestOfDoubles),
};

const SORTABLE = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

const LISTS_AND_MAPS = {
  list_slice: partial(sliceList),
  list_flatten: { ...inContext(flattenList), mixed: flattenList },
  list_flatten_int: inContext(flattenListTo),
  list_reverse: total(reverseList),
  list_distinct: inContext(distinctList),
  lists_range: inContext(rangeList),
  list_first: partial(firstOfList),
  list_last: partial(lastOfList),
  ...Object.fromEntries(SORTABLE.map(type => [`list_${type}_sort`, inContext(sortList)])),
  ...Object.fromEntries(SORTABLE.map(type => [`list_${type}_sortByAssociatedKeys`, inContext(sortByKeys)])),
  list_uint_sort: inContext(sortUintList),
  list_uint_sortByAssociatedKeys: inContext(sortByUintKeys),
  list_sets_contains_list: inContext(containsSet),
  list_sets_equivalent_list: inContext(equivalentSets),
  list_sets_intersects_list: inContext(intersectsSet),
  list_hasAll_list: inContext(containsSet),
  list_hasAny_list: inContext(intersectsSet),
  list_hasExactly_list: inContext(equivalentSets),
  list_hasOnly_list: inContext(isSubset),
  '@mapInsert_map_key_value': inContext(insertEntry),
  '@mapInsert_map_map': inContext(insertEntries),
};

const OPTIONALS = {
  optional_of: total(optionals.optionalOf),
  optional_ofNonZeroValue: total(optionals.optionalOfNonZero),
  optional_none: total(optionals.noOptional),
  optional_hasValue: total(optionals.hasValue),
  optional_hasValue_value: inContext(optionals.hasEqualValue),
  optional_value: partial(optionals.valueInOptional),
  optional_or_optional: total(optionals.optionalOr),
  optional_orValue_value: total(optionals.optionalOrValue),
  optional_unwrap: partial(optionals.unwrapOptionals),
  optional_unwrapOpt: partial(optionals.unwrapOptionals),
  select_optional_field: partial(optionals.optionalAt),
  list_optindex_optional_int: partial(optionals.optionalAt),
  optional_list_optindex_optional_int: partial(optionals.optionalAt),
  map_optindex_optional_value: partial(optionals.optionalAt),
  optional_map_optindex_optional_value: partial(optionals.optionalAt),
  optional_list_index_int: partial(optionals.optionalAt),
  optional_map_index_value: partial(optionals.optionalAt),
};

const TEXT_FORMS = {
  base64_encode_bytes: inContext(encodeBase64),
  base64_decode_string: partial(decodeBase64),
  base64_encode_url_bytes: inContext(encodeBase64Url),
  base64_decode_url_string: partial(decodeBase64Url),
  json_encode_dyn: inContext(encodeJson),
  json_parse_string: inContext(parseJson),
  json_parse_string_type: inContext(parseJsonAs),
  regex_extract_string_string: inContext(extractMatch),
  regex_extractAll_string_string: inContext(extractMatches),
  regex_replace_string_string_string: inContext(replaceMatches),
  regex_replace_string_string_string_int: inContext(replaceMatchesUpTo),
};

const NETWORK = {
  string_to_ip: partial(address.stringToIp),
  is_ip: total(address.isIp),
  ip_is_canonical: partial(address.isCanonicalIp),
  ip_to_string: total(address.ipToString),
  ip_family: total(address.familyOfIp),
  ip_is_loopback: total(address.isLoopbackIp),
  ip_is_unspecified: total(address.isUnspecifiedIp),
  ip_is_global_unicast: total(address.isGlobalUnicastIp),
  ip_is_link_local_unicast: total(address.isLinkLocalUnicastIp),
  ip_is_link_local_multicast: total(address.isLinkLocalMulticastIp),
  string_to_cidr: partial(range.stringToCidr),
  is_cidr: total(range.isCidr),
  cidr_to_string: total(range.cidrToString),
  cidr_ip: total(range.ipOfCidr),
  cidr_masked: total(range.maskedCidr),
  cidr_is_mask: total(range.isMaskCidr),
  cidr_prefix_length: total(range.prefixLengthOfCidr),
  cidr_contains_ip_ip: total(range.cidrContainsIp),
  cidr_contains_ip_string: partial(range.cidrContainsIpText),
  cidr_contains_cidr: total(range.cidrContainsCidr),
  cidr_contains_cidr_string: partial(range.cidrContainsCidrText),
};

/** By overload id, the code of all that the extension libraries declare but `cel.@block`, which evaluators do themselves. */
export const EXTENSION_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  ...STRINGS,
  ...NUMBERS,
  ...LEAST,
  ...GREATEST,
  ...LISTS_AND_MAPS,
  ...OPTIONALS,
  ...TEXT_FORMS,
  ...NETWORK,
};
