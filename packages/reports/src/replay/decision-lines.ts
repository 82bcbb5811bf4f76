// Decisions written while a replay runs: as lines of JSON and as rows of CSV; and its rules as CSV.

import type { Profile } from '@tollgate/catalog';
import { jsonText, printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  type Decided,
  type Decision,
  type KeyDimension,
  listedKey,
  type Route,
  type RuleResult,
  type RuleSummary,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { formatOutcome } from './outcome-text.ts';
import { DIMENSIONS, formatRoute, type ReplayPart, type ReplayResult, ruleLabel } from './replay-result.ts';

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

// CSV: the rules of a replay, and a row for each decision, written while it runs.

const COLUMNS = [
  'route',
  'phase',
  'rule',
  'name',
  'matched',
  'not_matched',
  'not_reached',
  'failed',
  'undetermined',
  'actions',
  'needs',
  'errors',
  ...DIMENSIONS,
];

/** Returns one row for each rule (RFC 4180). Values that a spreadsheet would take for a formula are prefixed with an apostrophe. */
export function csvReplay({ parts }: ReplayResult): string {
  const rows = parts.flatMap(part => part.summary.rules.map((rule, index) => ruleRow(part, rule, index)));
  return [COLUMNS, ...rows].map(row => `${row.map(csvField).join(',')}\r\n`).join('');
}

function ruleRow({ route, summary: { breakdown } }: ReplayPart, rule: RuleSummary, index: number) {
  const keys = breakdown?.rules[index]?.keys;
  const topOf = (dimension: KeyDimension) => keys?.[dimension].top ?? [];
  return [
    route ? formatRoute(route) : '',
    ...[rule.phase, rule.index + 1, rule.name ?? ''],
    ...[rule.matched, rule.notMatched, rule.notReached, rule.failed, rule.undetermined],
    list(rule.actions.map(({ type, fired }) => [type, bounds(fired)])),
    list(rule.needs.map(({ text, count }) => [text, count])),
    list(rule.errors.map(({ text, count }) => [text, count])),
    ...DIMENSIONS.map(dimension => list(topOf(dimension).map(({ text, count }) => [text, bounds(count)]))),
  ];
}

/** Returns a list: `log 5-9; deny 5-9`. */
function list(counts: readonly (readonly [name: string, count: number | string])[]): string {
  return counts.map(([name, count]) => `${name} ${count}`).join('; ');
}

function bounds({ least, most }: { readonly least: number; readonly most: number }): string {
  return least === most ? String(least) : `${least}-${most}`;
}

/** Returns a field of CSV. Values that a spreadsheet would take for a formula are prefixed with an apostrophe. */
function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = printable(value);
  // The first characters of formulas, from the "CSV injection" page of OWASP. Tabs and line breaks have been replaced already.
  const safe = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  // The separator is a semicolon in locales with a decimal comma.
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const DECISION_COLUMNS = [
  'file',
  'number',
  'time',
  'client',
  'method',
  'path',
  'route',
  'outcome',
  'status',
  'rules',
  'needs',
];

/** The first line of the decisions in CSV. */
export const DECISION_HEAD = `${DECISION_COLUMNS.join(',')}\r\n`;

/** Returns an exchange and its decision as a row of CSV (RFC 4180); lists are separated by semicolons. */
export function decisionRow(exchange: Exchange, decided: Decided, names: RuleNames): string {
  const { place, time, method } = exchange;
  const decision = decided.kind === 'decided' || decided.kind === 'routed' ? decided.decision : undefined;
  const needs = decided.kind === 'open' ? decided.needs : (decision?.needs ?? []);
  const { outcomes = [], rules = [] } = decision ?? {};
  const matched = rules.flatMap((rule, at) => (rule.status === 'matched' ? names[at]!.label : []));
  const status = outcomes.length === 1 ? outcomes[0]!.status : undefined;
  const row = [
    ...[place.file, place.number, time === undefined ? '' : new Date(time).toISOString()],
    ...[listedKey(exchange, 'clients') ?? '', method ?? '', listedKey(exchange, 'paths') ?? ''],
    decided.kind === 'routed' ? decided.route.match : '',
    ...[outcomes.map(formatOutcome).join('; '), status ?? '', matched.join('; '), needs.join('; ')],
  ];
  return `${row.map(csvField).join(',')}\r\n`;
}
