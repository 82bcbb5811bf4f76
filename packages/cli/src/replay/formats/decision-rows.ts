import { type Decided, listedKey } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { formatOutcome } from '../result/outcome-text.ts';
import { csvField } from './csv-report.ts';
import type { RuleNames } from './decision-lines.ts';

const COLUMNS = ['file', 'number', 'time', 'client', 'method', 'path', 'route', 'outcome', 'status', 'rules', 'needs'];

/** The first line of the decisions in CSV. */
export const DECISION_HEAD = `${COLUMNS.join(',')}\r\n`;

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
