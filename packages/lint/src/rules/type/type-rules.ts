import type { LintRule } from '../../rule-api/lint-rule.ts';
import { DOUBLE_EQUALITY } from './double-equality.ts';
import { DYN_IN_STRICT } from './dyn-in-strict.ts';
import { FORGOTTEN_INTERPOLATION } from './forgotten-interpolation.ts';
import { IN_ON_HEADER_LIST } from './in-on-header-list.ts';
import { INT_RANGE } from './int-range.ts';
import { INTERPOLATION_NOT_EVALUATED } from './interpolation-not-evaluated.ts';
import { LEXICAL_NUMBER_COMPARE } from './lexical-number-compare.ts';
import { MIXED_LIST } from './mixed-list.ts';
import { POSSIBLE_RUNTIME_ERROR } from './possible-runtime-error.ts';
import { UNGUARDED_INDEX } from './unguarded-index.ts';
import { UNGUARDED_LOOK_UP } from './unguarded-look-up.ts';
import { UNGUARDED_OPTIONAL } from './unguarded-optional.ts';
import { USELESS_CONVERSION } from './useless-conversion.ts';

/** Lint rules about mistakes that the type checker allows. */
export const TYPE_RULES: readonly LintRule[] = [
  DOUBLE_EQUALITY,
  DYN_IN_STRICT,
  IN_ON_HEADER_LIST,
  INT_RANGE,
  LEXICAL_NUMBER_COMPARE,
  MIXED_LIST,
  POSSIBLE_RUNTIME_ERROR,
  UNGUARDED_INDEX,
  UNGUARDED_LOOK_UP,
  UNGUARDED_OPTIONAL,
  USELESS_CONVERSION,
  FORGOTTEN_INTERPOLATION,
  INTERPOLATION_NOT_EVALUATED,
];
