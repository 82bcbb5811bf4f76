import type { LintRule } from '../rule-api/lint-rule.ts';
import { CHEAP_FIRST } from './cost/cheap-first.ts';
import { OVER_BUDGET } from './cost/over-budget.ts';
import { ALIAS } from './doc/alias.ts';
import { CONFIG_NULL_VS_MISSING } from './doc/config-null-vs-missing.ts';
import { CONFUSABLE_TEXT } from './doc/confusable-text.ts';
import { COPIED_POLICY } from './doc/copied-policy.ts';
import { DISABLED_POLICY } from './doc/disabled-policy.ts';
import { EMPTY_EXPRESSIONS } from './doc/empty-expressions.ts';
import { EMPTY_PHASE } from './doc/empty-phase.ts';
import { LEGACY_DIALECT } from './doc/legacy-dialect.ts';
import { COUNTRY_CASE } from './geo/country-case.ts';
import { COUNTRY_CODE } from './geo/country-code.ts';
import { SPECIAL_CODE } from './geo/special-code.ts';
import { COOKIE_FLAGS } from './header/cookie-flags.ts';
import { CORS_REFLECT_ORIGIN } from './header/cors-reflect-origin.ts';
import { DUPLICATE_CASE } from './header/duplicate-case.ts';
import { DUPLICATE_VALUES } from './header/duplicate-values.ts';
import { HOP_BY_HOP } from './header/hop-by-hop.ts';
import { HOST_SPOOFING } from './header/host-spoofing.ts';
import { INJECTION } from './header/injection.ts';
import { LOOKUP_CASE } from './header/lookup-case.ts';
import { NAME_INVALID } from './header/name-invalid.ts';
import { OVERRIDE_HEADERS } from './header/override-headers.ts';
import { PRIVATE_MADE_PUBLIC } from './header/private-made-public.ts';
import { RESERVED } from './header/reserved.ts';
import { SECURITY_REMOVED } from './header/security-removed.ts';
import { SPOOFABLE_IDENTITY } from './header/spoofable-identity.ts';
import { TRUSTS_CLIENT_IP_HEADER } from './header/trusts-client-ip-header.ts';
import { UA_ONLY_AUTH } from './header/ua-only-auth.ts';
import { USER_AGENT_EQUALITY } from './header/user-agent-equality.ts';
import { VALUE_INVALID } from './header/value-invalid.ts';
import { VARY_MISSING } from './header/vary-missing.ts';
import { BODY_TYPE_MISMATCH } from './http/body-type-mismatch.ts';
import { CACHE_CONTROL_MISSING } from './http/cache-control-missing.ts';
import { CONTENT_TYPE_MISSING } from './http/content-type-missing.ts';
import { DENY_SUCCESS_STATUS } from './http/deny-success-status.ts';
import { HOST_CASE } from './http/host-case.ts';
import { HOST_PORT } from './http/host-port.ts';
import { METHOD_CASE } from './http/method-case.ts';
import { METHOD_UNKNOWN } from './http/method-unknown.ts';
import { REDIRECT_WITHOUT_LOCATION } from './http/redirect-without-location.ts';
import { RETRY_AFTER_MISSING } from './http/retry-after-missing.ts';
import { SINGLE_ERROR_STATUS } from './http/single-error-status.ts';
import { STATUS_FORBIDS_BODY } from './http/status-forbids-body.ts';
import { STATUS_RANGE } from './http/status-range.ts';
import { HOST_BITS_SET } from './ip/host-bits-set.ts';
import { INVALID } from './ip/invalid.ts';
import { MISSING_IPV6 } from './ip/missing-ipv6.ts';
import { NOBODY_ALLOWED } from './ip/nobody-allowed.ts';
import { NON_ROUTABLE } from './ip/non-routable.ts';
import { OVERLAPPING_CIDR } from './ip/overlapping-cidr.ts';
import { STRING_COMPARE } from './ip/string-compare.ts';
import { TOO_BROAD } from './ip/too-broad.ts';
import { UNKNOWN_CATEGORY } from './ip/unknown-category.ts';
import { ALL_NEGATED_LIST } from './logic-conditions/all-negated-list.ts';
import { ALWAYS_TRUE } from './logic-conditions/always-true.ts';
import { AND_OR_PRECEDENCE } from './logic-conditions/and-or-precedence.ts';
import { BOOL_COMPARISON } from './logic-conditions/bool-comparison.ts';
import { CASE_MISMATCH } from './logic-conditions/case-mismatch.ts';
import { CONSTANT_EXPRESSION } from './logic-conditions/constant-expression.ts';
import { CONTRADICTION_ACROSS_LIST } from './logic-conditions/contradiction-across-list.ts';
import { DOUBLE_NEGATION } from './logic-conditions/double-negation.ts';
import { DUPLICATE_OPERAND } from './logic-conditions/duplicate-operand.ts';
import { EMPTY_ALL } from './logic-conditions/empty-all.ts';
import { IMPOSSIBLE_RANGE } from './logic-conditions/impossible-range.ts';
import { NEGATED_OR } from './logic-conditions/negated-or.ts';
import { NEVER_MATCHES } from './logic-conditions/never-matches.ts';
import { PREFER_IN } from './logic-conditions/prefer-in.ts';
import { YODA } from './logic-conditions/yoda.ts';
import { ALLOW_WITHOUT_DENY } from './logic-order/allow-without-deny.ts';
import { CATCH_ALL_NOT_LAST } from './logic-order/catch-all-not-last.ts';
import { DUPLICATE_RULE } from './logic-order/duplicate-rule.ts';
import { MERGEABLE_RULES } from './logic-order/mergeable-rules.ts';
import { NO_EFFECT_ACTION } from './logic-order/no-effect-action.ts';
import { NON_TERMINATING_POLICY } from './logic-order/non-terminating-policy.ts';
import { ORDER_SENSITIVE_PAIR } from './logic-order/order-sensitive-pair.ts';
import { PARTIAL_SHADOW } from './logic-order/partial-shadow.ts';
import { REDUNDANT_RULE } from './logic-order/redundant-rule.ts';
import { SHADOWED_DIFFERENT_ACTION } from './logic-order/shadowed-different-action.ts';
import { UNREACHABLE_RULE } from './logic-order/unreachable-rule.ts';
import { IGNORE_EXPIRED } from './meta/ignore-expired.ts';
import { IGNORE_WITHOUT_REASON } from './meta/ignore-without-reason.ts';
import { MALFORMED_IGNORE } from './meta/malformed-ignore.ts';
import { UNKNOWN_RULE } from './meta/unknown-rule.ts';
import { UNUSED_IGNORE } from './meta/unused-ignore.ts';
import { PASSTHROUGH_CONFLICT } from './phase/passthrough-conflict.ts';
import { RESULT_BEFORE_ACTION } from './phase/result-before-action.ts';
import { STALE_AFTER_MUTATION } from './phase/stale-after-mutation.ts';
import { AFTER_EXPENSIVE_ACTION } from './rate/after-expensive-action.ts';
import { CLIENT_CONTROLLED_KEY } from './rate/client-controlled-key.ts';
import { NAME_CONTRADICTS_WINDOW } from './rate/name-contradicts-window.ts';
import { CLASS_OF_QUANTIFIERS } from './regex/class-of-quantifiers.ts';
import { COMPARED_LITERALLY } from './regex/compared-literally.ts';
import { OVERBROAD } from './regex/overbroad.ts';
import { PREFER_STRING_OP } from './regex/prefer-string-op.ts';
import { REDOS } from './regex/redos.ts';
import { UNANCHORED_ALLOW } from './regex/unanchored-allow.ts';
import { UNANCHORED_PATH } from './regex/unanchored-path.ts';
import { CHECK_EXEMPTED } from './sec/check-exempted.ts';
import { CHECK_NEVER_RUNS } from './sec/check-never-runs.ts';
import { CHECK_SKIPPED } from './sec/check-skipped.ts';
import { CLIENT_CHOSEN_UPSTREAM } from './sec/client-chosen-upstream.ts';
import { DEBUG_ECHO } from './sec/debug-echo.ts';
import { FAILS_OPEN } from './sec/fails-open.ts';
import { IDENTITY_UNCHECKED } from './sec/identity-unchecked.ts';
import { INSECURE_KEY_SOURCE } from './sec/insecure-key-source.ts';
import { JWT_ALGORITHM_CONFUSION } from './sec/jwt-algorithm-confusion.ts';
import { JWT_AUDIENCE_MISSING } from './sec/jwt-audience-missing.ts';
import { LOG_SENSITIVE } from './sec/log-sensitive.ts';
import { NOT_ENFORCED } from './sec/not-enforced.ts';
import { PREFLIGHT_DENIED } from './sec/preflight-denied.ts';
import { SECRET_LITERAL } from './sec/secret-literal.ts';
import { SUFFIX_BOUNDARY } from './sec/suffix-boundary.ts';
import { VERSION_DISCLOSURE } from './sec/version-disclosure.ts';
import { WEAK_COMPARISON } from './sec/weak-comparison.ts';
import { AMBIGUOUS_RULE_NAME } from './style/ambiguous-rule-name.ts';
import { DUPLICATE_RULE_NAME } from './style/duplicate-rule-name.ts';
import { KEY_ORDER } from './style/key-order.ts';
import { LONG_EXPRESSION } from './style/long-expression.ts';
import { NAME_CONTRADICTS_EFFECT } from './style/name-contradicts-effect.ts';
import { NAMING_CONVENTION } from './style/naming-convention.ts';
import { QUOTE_STYLE } from './style/quote-style.ts';
import { RULE_NAME_MISSING } from './style/rule-name-missing.ts';
import { TODO_COMMENT } from './style/todo-comment.ts';
import { FOCUSED } from './test/focused.ts';
import { RULE_UNTESTED } from './test/rule-untested.ts';
import { SKIP_WITHOUT_REASON } from './test/skip-without-reason.ts';
import { UNKNOWN_RULE as UNKNOWN_RULE_IN_TESTS } from './test/unknown-rule.ts';
import { UNUSED_FIXTURE } from './test/unused-fixture.ts';
import { OBSOLETE_ALLOWED } from './tls/obsolete-allowed.ts';
import { VERSION_LEXICAL } from './tls/version-lexical.ts';
import { VERSION_UNKNOWN } from './tls/version-unknown.ts';
import { DOUBLE_EQUALITY } from './type/double-equality.ts';
import { DYN_IN_STRICT } from './type/dyn-in-strict.ts';
import { FORGOTTEN_INTERPOLATION } from './type/forgotten-interpolation.ts';
import { IN_ON_HEADER_LIST } from './type/in-on-header-list.ts';
import { INT_RANGE } from './type/int-range.ts';
import { INTERPOLATION_NOT_EVALUATED } from './type/interpolation-not-evaluated.ts';
import { LEXICAL_NUMBER_COMPARE } from './type/lexical-number-compare.ts';
import { MIXED_LIST } from './type/mixed-list.ts';
import { POSSIBLE_RUNTIME_ERROR } from './type/possible-runtime-error.ts';
import { UNGUARDED_INDEX } from './type/unguarded-index.ts';
import { UNGUARDED_LOOK_UP } from './type/unguarded-look-up.ts';
import { UNGUARDED_OPTIONAL } from './type/unguarded-optional.ts';
import { USELESS_CONVERSION } from './type/useless-conversion.ts';
import { CAPTURE_OUT_OF_RANGE } from './url/capture-out-of-range.ts';
import { DOUBLE_QUESTION_MARK } from './url/double-question-mark.ts';
import { IMPOSSIBLE_TEXT } from './url/impossible-text.ts';
import { NORMALISATION_BYPASS } from './url/normalisation-bypass.ts';
import { OPEN_REDIRECT } from './url/open-redirect.ts';
import { PATH_SPELLINGS } from './url/path-spellings.ts';
import { PATH_VS_FULL_URL } from './url/path-vs-full-url.ts';
import { PREFIX_BOUNDARY } from './url/prefix-boundary.ts';
import { QUERY_DROPPED } from './url/query-dropped.ts';
import { REDIRECT_LOOP } from './url/redirect-loop.ts';
import { REPLACED_EARLIER } from './url/replaced-earlier.ts';
import { REWRITE_BOUNDARY } from './url/rewrite-boundary.ts';
import { REWRITE_LOOP } from './url/rewrite-loop.ts';
import { REWRITE_PAST_GUARD } from './url/rewrite-past-guard.ts';
import { UNANCHORED } from './url/unanchored.ts';
import { UNESCAPED_DOT } from './url/unescaped-dot.ts';
import { UNKNOWN_NAMED_VARIABLE } from './url/unknown-named-variable.ts';
import { UNUSED_CAPTURE } from './url/unused-capture.ts';

/** All built-in lint rules, by category, in the order of the documentation. */
export const LINT_RULES: readonly LintRule[] = [
  // `doc`: the policy document.
  ALIAS,
  CONFIG_NULL_VS_MISSING,
  CONFUSABLE_TEXT,
  COPIED_POLICY,
  DISABLED_POLICY,
  EMPTY_EXPRESSIONS,
  EMPTY_PHASE,
  LEGACY_DIALECT,
  // `type`: mistakes that the type checker allows.
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
  // `phase`: when rules run and what earlier actions changed.
  PASSTHROUGH_CONFLICT,
  RESULT_BEFORE_ACTION,
  STALE_AFTER_MUTATION,
  // `logic`: conditions and the interaction of rules.
  CONSTANT_EXPRESSION,
  ALWAYS_TRUE,
  NEVER_MATCHES,
  CONTRADICTION_ACROSS_LIST,
  ALL_NEGATED_LIST,
  NEGATED_OR,
  IMPOSSIBLE_RANGE,
  AND_OR_PRECEDENCE,
  DUPLICATE_OPERAND,
  BOOL_COMPARISON,
  DOUBLE_NEGATION,
  YODA,
  PREFER_IN,
  UNREACHABLE_RULE,
  SHADOWED_DIFFERENT_ACTION,
  PARTIAL_SHADOW,
  REDUNDANT_RULE,
  DUPLICATE_RULE,
  MERGEABLE_RULES,
  CATCH_ALL_NOT_LAST,
  NON_TERMINATING_POLICY,
  ALLOW_WITHOUT_DENY,
  ORDER_SENSITIVE_PAIR,
  NO_EFFECT_ACTION,
  CASE_MISMATCH,
  EMPTY_ALL,
  // `http`: methods, statuses and bodies.
  METHOD_UNKNOWN,
  METHOD_CASE,
  STATUS_RANGE,
  DENY_SUCCESS_STATUS,
  STATUS_FORBIDS_BODY,
  REDIRECT_WITHOUT_LOCATION,
  CONTENT_TYPE_MISSING,
  BODY_TYPE_MISMATCH,
  RETRY_AFTER_MISSING,
  CACHE_CONTROL_MISSING,
  HOST_CASE,
  HOST_PORT,
  SINGLE_ERROR_STATUS,
  // `header`: headers that are read, set or removed.
  NAME_INVALID,
  VALUE_INVALID,
  INJECTION,
  HOP_BY_HOP,
  RESERVED,
  LOOKUP_CASE,
  DUPLICATE_CASE,
  SECURITY_REMOVED,
  VARY_MISSING,
  CORS_REFLECT_ORIGIN,
  TRUSTS_CLIENT_IP_HEADER,
  HOST_SPOOFING,
  UA_ONLY_AUTH,
  COOKIE_FLAGS,
  SPOOFABLE_IDENTITY,
  DUPLICATE_VALUES,
  OVERRIDE_HEADERS,
  USER_AGENT_EQUALITY,
  PRIVATE_MADE_PUBLIC,
  // `geo`: the location of addresses.
  COUNTRY_CODE,
  COUNTRY_CASE,
  SPECIAL_CODE,
  // `ip`: IP addresses and ranges.
  INVALID,
  HOST_BITS_SET,
  STRING_COMPARE,
  MISSING_IPV6,
  OVERLAPPING_CIDR,
  NON_ROUTABLE,
  TOO_BROAD,
  UNKNOWN_CATEGORY,
  NOBODY_ALLOWED,
  // `tls`: versions of TLS.
  VERSION_UNKNOWN,
  VERSION_LEXICAL,
  OBSOLETE_ALLOWED,
  // `url`: requested URLs, rewrites and redirects.
  UNANCHORED,
  UNESCAPED_DOT,
  CAPTURE_OUT_OF_RANGE,
  UNUSED_CAPTURE,
  REPLACED_EARLIER,
  REWRITE_LOOP,
  REDIRECT_LOOP,
  OPEN_REDIRECT,
  DOUBLE_QUESTION_MARK,
  QUERY_DROPPED,
  UNKNOWN_NAMED_VARIABLE,
  PATH_VS_FULL_URL,
  PREFIX_BOUNDARY,
  NORMALISATION_BYPASS,
  IMPOSSIBLE_TEXT,
  PATH_SPELLINGS,
  REWRITE_PAST_GUARD,
  REWRITE_BOUNDARY,
  // `regex`: regular expressions.
  REDOS,
  PREFER_STRING_OP,
  CLASS_OF_QUANTIFIERS,
  OVERBROAD,
  UNANCHORED_ALLOW,
  COMPARED_LITERALLY,
  UNANCHORED_PATH,
  // `rate`: rate limits.
  CLIENT_CONTROLLED_KEY,
  AFTER_EXPENSIVE_ACTION,
  NAME_CONTRADICTS_WINDOW,
  // `cost`: the cost of evaluation.
  OVER_BUDGET,
  CHEAP_FIRST,
  // `sec`: access control, secrets and disclosure.
  SECRET_LITERAL,
  LOG_SENSITIVE,
  DEBUG_ECHO,
  VERSION_DISCLOSURE,
  WEAK_COMPARISON,
  NOT_ENFORCED,
  JWT_ALGORITHM_CONFUSION,
  INSECURE_KEY_SOURCE,
  JWT_AUDIENCE_MISSING,
  SUFFIX_BOUNDARY,
  IDENTITY_UNCHECKED,
  CHECK_NEVER_RUNS,
  FAILS_OPEN,
  CHECK_SKIPPED,
  CHECK_EXEMPTED,
  PREFLIGHT_DENIED,
  CLIENT_CHOSEN_UPSTREAM,
  // `style`: names, length and layout.
  AMBIGUOUS_RULE_NAME,
  DUPLICATE_RULE_NAME,
  KEY_ORDER,
  LONG_EXPRESSION,
  NAME_CONTRADICTS_EFFECT,
  NAMING_CONVENTION,
  QUOTE_STYLE,
  RULE_NAME_MISSING,
  TODO_COMMENT,
  // `test`: policy tests.
  FOCUSED,
  RULE_UNTESTED,
  SKIP_WITHOUT_REASON,
  UNKNOWN_RULE_IN_TESTS,
  UNUSED_FIXTURE,
  // `meta`: suppressions.
  UNUSED_IGNORE,
  IGNORE_WITHOUT_REASON,
  IGNORE_EXPIRED,
  UNKNOWN_RULE,
  MALFORMED_IGNORE,
];

const OWN: ReadonlySet<LintRule> = new Set(LINT_RULES);

/** Returns true for a built-in lint rule; all others belong to users. */
export function isOwnRule(rule: LintRule): boolean {
  return OWN.has(rule);
}
