// All codes that Tollgate reports.

import { REFUSALS, refusalsOf } from '@tollgate/catalog';
import { CEL_CODES } from '@tollgate/cel/codes';
import { SERVER_CODES } from '@tollgate/edge-server/codes';
import { LINT_RULES } from '@tollgate/lint';
import { POLICY_PACKAGE_CODES } from '@tollgate/policy/codes';
import { type CodePage, describeRule } from '@tollgate/reports';
import { TRAFFIC_CODES } from '@tollgate/traffic/codes';
import { COMMAND_CODES, PROVE_CODES, PUBLISH_CODES, TEST_CODES } from './command-codes.ts';

/** Returns every code that Tollgate reports, sorted by area, then name. */
export const CODE_PAGES: readonly CodePage[] = [
  ...CEL_CODES,
  ...POLICY_PACKAGE_CODES,
  ...TRAFFIC_CODES,
  ...SERVER_CODES,
  ...COMMAND_CODES,
  ...PROVE_CODES,
  ...PUBLISH_CODES,
  ...TEST_CODES,
  ...LINT_RULES.map(rule => ({ ...describeRule(rule), rule })),
]
  .map(withRefusals)
  .sort((a, b) => (a.code < b.code ? -1 : 1));

/** Only the catalog knows the errors of the service. */
function withRefusals(page: CodePage): CodePage {
  // Only the lint rules that the catalog lists: other rules of the same area express our opinion.
  const isNamed = !page.rule || REFUSALS.some(({ codes }) => codes.includes(page.code));
  const refusals = isNamed ? refusalsOf(page.code) : [];
  return refusals.length > 0 ? { ...page, refusals } : page;
}
