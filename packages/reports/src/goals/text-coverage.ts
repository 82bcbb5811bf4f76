// Coverage for terminals: the figures of each policy, and the source of what no test reaches.

import { codeFrame, type Paint, printable } from '@tollgate/diagnostics';
import { GOAL_GROUPS } from '@tollgate/simulator';
import { pluralize } from '../text/figures.ts';
import type { Layout } from '../text/layout.ts';
import {
  type CoveredGoal,
  countGoals,
  type GoalPlace,
  isBelow,
  missingText,
  type PolicyCoverage,
  percentOf,
  placesOf,
} from './coverage-result.ts';

/** Renders coverage. With `verbose`, also why goals are impossible. */
export function textCoverage(policies: readonly PolicyCoverage[], layout: Layout, verbose = false): string {
  const blocks = policies.map(one => policyText(one, layout, verbose));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function policyText(policy: PolicyCoverage, { paint, width }: Layout, verbose: boolean): string {
  const { source, goals, isDisabled } = policy;
  const open = goals.filter(({ state }) => state === 'open');
  const impossible = goals.filter(({ state }) => state === 'impossible');
  const frames = placesOf(withoutUnreached(open, policy)).map(place => frameOf(place, policy, { paint, width }));
  const why = verbose
    ? placesOf(impossible).map(({ range, goals: same }) => {
        const text = same.map(one => printable(`${one.id}: ${one.reason ?? 'impossible'}`)).join('\n');
        return `${paint('frame', 'impossible')}\n${codeFrame(source, range, { paint, style: 'frame', width })}\n${text}`;
      })
    : [];
  return [
    figures(policy, paint),
    ...(isDisabled ? [paint('warning', 'The policy is disabled; this is its coverage as if it were enabled.')] : []),
    ...frames,
    ...why,
    ...(impossible.length > 0 && !verbose
      ? [
          paint(
            'frame',
            `${pluralize(impossible.length, 'goal')} proved impossible and not counted; --verbose says why`,
          ),
        ]
      : []),
  ].join('\n\n');
}

/** Of a rule that no test reaches, one goal says all. */
function withoutUnreached(open: readonly CoveredGoal[], { rules }: PolicyCoverage): readonly CoveredGoal[] {
  const seen = new Set<number>();
  return open.filter(({ rule }) => rule === undefined || rules[rule]!.reached > 0 || seen.size < seen.add(rule).size);
}

function figures(policy: PolicyCoverage, paint: Paint): string {
  const counts = countGoals(policy.goals);
  const parts = GOAL_GROUPS.map(group => {
    const { reached, possible } = counts[group];
    return paint(reached === possible ? 'hint' : 'warning', `${group} ${reached}/${possible}`);
  });
  const wanted = policy.threshold === undefined ? '' : `, ${policy.threshold} % wanted`;
  const total = `${percentOf(counts.all)} %${wanted}`;
  return `${paint('strong', printable(policy.name))}  ${parts.join('  ')}  ${paint(isBelow(policy) ? 'error' : 'strong', total)}`;
}

function frameOf({ range, goals }: GoalPlace, { source, rules }: PolicyCoverage, { paint, width }: Layout): string {
  const [{ rule }] = goals as [GoalPlace['goals'][number]];
  const isReached = rule === undefined || rules[rule]!.reached > 0;
  const where = rule === undefined ? '' : `${rules[rule]!.label}: `;
  const head = `${paint('warning', (isReached ? goals.map(missingText) : ['reached in no test']).join('; '))}`;
  return `${printable(where)}${head}\n${codeFrame(source, range, { paint, style: 'warning', width })}`;
}
