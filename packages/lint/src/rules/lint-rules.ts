import type { LintRule } from '../rule-api/lint-rule.ts';
import { COST_RULES } from './cost/cost-rules.ts';
import { DOC_RULES } from './doc/doc-rules.ts';
import { GEO_RULES } from './geo/geo-rules.ts';
import { HEADER_RULES } from './header/header-rules.ts';
import { HTTP_RULES } from './http/http-rules.ts';
import { IP_RULES } from './ip/ip-rules.ts';
import { LOGIC_RULES } from './logic/logic-rules.ts';
import { META_RULES } from './meta/meta-rules.ts';
import { PHASE_RULES } from './phase/phase-rules.ts';
import { RATE_RULES } from './rate/rate-rules.ts';
import { REGEX_RULES } from './regex/regex-rules.ts';
import { SEC_RULES } from './sec/sec-rules.ts';
import { STYLE_RULES } from './style/style-rules.ts';
import { TEST_RULES } from './test/test-rules.ts';
import { TLS_RULES } from './tls/tls-rules.ts';
import { TYPE_RULES } from './type/type-rules.ts';
import { URL_RULES } from './url/url-rules.ts';

/** All built-in lint rules, by category, in the order of the documentation. */
export const LINT_RULES: readonly LintRule[] = [
  ...DOC_RULES,
  ...TYPE_RULES,
  ...PHASE_RULES,
  ...LOGIC_RULES,
  ...HTTP_RULES,
  ...HEADER_RULES,
  ...GEO_RULES,
  ...IP_RULES,
  ...TLS_RULES,
  ...URL_RULES,
  ...REGEX_RULES,
  ...RATE_RULES,
  ...COST_RULES,
  ...SEC_RULES,
  ...STYLE_RULES,
  ...TEST_RULES,
  ...META_RULES,
];

const OWN: ReadonlySet<LintRule> = new Set(LINT_RULES);

/** Returns true for a built-in lint rule; all others belong to users. */
export function isOwnRule(rule: LintRule): boolean {
  return OWN.has(rule);
}
