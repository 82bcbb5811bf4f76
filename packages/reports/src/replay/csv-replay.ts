// CSV: the rules of a replay, and a row for each decision, written while it runs.

import { printable } from '@tollgate/diagnostics';
import { type Decided, type KeyDimension, listedKey, type RuleSummary } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { RuleNames } from './decision-lines.ts';
import { formatOutcome } from './outcome-text.ts';
import { DIMENSIONS, formatRoute, type ReplayPart, type ReplayResult } from './replay-result.ts';

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
