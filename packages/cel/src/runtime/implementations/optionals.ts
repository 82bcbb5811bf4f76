import * as optionals from '../collections/optionals.ts';
import type { Implementation } from '../context/implementation.ts';
import { inContext, partial, total } from '../context/implementation-kinds.ts';

/** Implements the optionals library, by overload id. */
export const OPTIONALS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
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
