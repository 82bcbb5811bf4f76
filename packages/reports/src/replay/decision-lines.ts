// A decision as a line of JSON, written while a replay runs.

import type { Profile } from '@tollgate/catalog';
import { jsonText } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { type Decided, type Decision, listedKey, type Route, type RuleResult } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { ruleLabel } from './replay-result.ts';

/** Labels, names and actions of the rules of a policy, in policy order. */
export type RuleNames = readonly {
  readonly label: string;
  readonly name: string | undefined;
  readonly actions: readonly string[];
}[];

/** Returns the labels, names and actions of a policy's rules. */
export function ruleNames(policy: Policy, profile: Profile): RuleNames {
  return profile.phases
    .flatMap(phase => policy.rules[phase])
    .map(rule => ({
      label: ruleLabel(rule),
      name: rule.name?.value,
      actions: rule.actions.map(action => action.type.value),
    }));
}

/**
 * Returns an exchange and its decision as a line of JSON. Rules that it does not name did not match or were not reached.
 *
 * @param namesOf the rules of a route, or of the only policy if it is undefined
 */
export function decisionLine(
  exchange: Exchange,
  decided: Decided,
  namesOf: (route: Route | undefined) => RuleNames,
): string {
  const { place, time, method, target, url } = exchange;
  const [client, path] = [listedKey(exchange, 'clients'), listedKey(exchange, 'paths')];
  const fields = {
    kind: 'decision',
    place,
    time,
    client,
    method,
    path,
    target: target ?? url,
    ...decidedFields(decided, namesOf),
  };
  return `${jsonText(fields)}\n`;
}

function decidedFields(decided: Decided, namesOf: (route: Route | undefined) => RuleNames): object {
  switch (decided.kind) {
    case 'unrouted':
      return { route: null };
    case 'open':
      return { needs: decided.needs };
    case 'routed': {
      const { id, match, matchType } = decided.route;
      return { route: { id, match, matchType }, ...decisionFields(decided.decision, namesOf(decided.route)) };
    }
    case 'decided':
      return decisionFields(decided.decision, namesOf(undefined));
  }
}

function decisionFields({ outcomes, needs, rules }: Decision, names: RuleNames): object {
  const reported = rules.flatMap((result, index) => {
    const name = names[index]!;
    return result.status === 'not-matched' || result.status === 'not-reached' ? [] : [{ result, ...name }];
  });
  return {
    outcomes,
    ...(needs.length > 0 && { needs }),
    rules: reported.map(({ result, label }) => ({ rule: label, status: result.status, ...whyOf(result) })),
    actions: reported.flatMap(({ result, label, actions }) =>
      'actions' in result
        ? result.actions.map((trace, index) => ({ rule: label, type: actions[index], result: trace.result }))
        : [],
    ),
  };
}

function whyOf(result: RuleResult): object {
  if (result.status === 'failed') return { error: result.error.message };
  return result.status === 'undetermined' ? { needs: result.needs } : {};
}
