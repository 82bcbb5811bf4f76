import type { LintRule } from '../../rule-api/lint-rule.ts';
import { HOST_BITS_SET } from './host-bits-set.ts';
import { INVALID } from './invalid.ts';
import { MISSING_IPV6 } from './missing-ipv6.ts';
import { NOBODY_ALLOWED } from './nobody-allowed.ts';
import { NON_ROUTABLE } from './non-routable.ts';
import { OVERLAPPING_CIDR } from './overlapping-cidr.ts';
import { STRING_COMPARE } from './string-compare.ts';
import { TOO_BROAD } from './too-broad.ts';
import { UNKNOWN_CATEGORY } from './unknown-category.ts';

/** Lint rules about IP addresses and ranges. */
export const IP_RULES: readonly LintRule[] = [
  INVALID,
  HOST_BITS_SET,
  STRING_COMPARE,
  MISSING_IPV6,
  OVERLAPPING_CIDR,
  NON_ROUTABLE,
  TOO_BROAD,
  UNKNOWN_CATEGORY,
  NOBODY_ALLOWED,
];
