import type { Rule } from '@tollgate/policy';
import { exchangeText } from '@tollgate/solver/conditions';
import type { Exchange } from '@tollgate/traffic';
import { nameOfRule } from '../../rule-api/rule-name.ts';

/** Returns what a rule does to the traffic of another one, with a request if one is known. */
export function endsEvaluation(rule: Rule, exchange: Exchange | undefined): string {
  const example = exchange === undefined ? '' : `, for example of ${exchangeText(exchange)}`;
  return `${nameOfRule(rule)} ends evaluation${example}`;
}
