// Sections for terminals about traffic: what was read, and the most frequent clients, paths and countries.

import { displayWidth, printable } from '@tollgate/diagnostics';
import type {
  EdgeReplaySummary,
  KeyDimension,
  KeySummary,
  RuleBreakdown,
  RuleSummary,
  TrafficSummary,
} from '@tollgate/simulator';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
import {
  type Cell,
  heading,
  type Layout,
  proseWidth,
  tableRoom,
  tableText,
  truncate,
  wrapText,
  wrapWords,
} from '../text/layout.ts';
import { formatNeeds, formatOutcome, skippedText } from './outcome-text.ts';
import { DIMENSIONS, type ReplayPart, ruleLabel } from './replay-result.ts';

/** Maximum number of files to list; there may be thousands. */
const MAX_FILES = 20;

/** Renders what was read. */
export function trafficSection({ files, skipped }: TrafficSummary, layout: Layout): string {
  const { paint } = layout;
  const rows: Cell[][] = [heading('traffic', 'exchanges', 'skipped')];
  for (const file of files.slice(0, MAX_FILES)) rows.push(fileRow(file.file, file));
  const others = files.slice(MAX_FILES);
  if (others.length > 0) rows.push(fileRow(`${pluralize(others.length, 'other file')}`, sums(others)));
  const elastic = [{ column: 0, least: 12, keep: 'end' }] as const;
  const table = tableText(rows, ['left', 'right', 'right'], paint, { width: tableRoom(layout), elastic });
  const notes = skipped.flatMap(one =>
    wrapText(skippedText(one), proseWidth(layout) - 2).map(line => `  ${paint('frame', line)}`),
  );
  const failed = files
    .filter(file => file.failure !== undefined)
    .map(({ file }) => `  ${paint('error', `read only in part: ${printable(file)}`)}`);
  return [table, ...notes, ...failed].join('\n');
}

interface FileFigures {
  readonly exchanges: number;
  readonly skipped: number;
}

function fileRow(name: string, { exchanges, skipped }: FileFigures): Cell[] {
  const figure: Cell = skipped === 0 ? { text: '·', style: 'frame' } : { text: formatCount(skipped) };
  return [{ text: printable(name) }, { text: formatCount(exchanges) }, figure];
}

function sums(files: readonly FileFigures[]): FileFigures {
  return files.reduce((a, b) => ({ exchanges: a.exchanges + b.exchanges, skipped: a.skipped + b.skipped }));
}

/** Renders the exchanges without a certain route. */
export function unroutedSections(
  { unrouted, open }: Pick<EdgeReplaySummary, 'unrouted' | 'open'>,
  { paint }: Layout,
): readonly string[] {
  const sections: string[] = [];
  if (unrouted > 0) sections.push(`  ${paint('warning', `no route matches ${pluralize(unrouted, 'exchange')}`)}`);
  if (open.exchanges > 0) {
    const needs = formatNeeds(open.needs);
    const text = `route unknown for ${pluralize(open.exchanges, 'exchange')}: needs ${needs}`;
    sections.push(`  ${paint('warning', text)}`);
  }
  return sections;
}

const MAX_KEY_WIDTH = 60;

/** Maximum number of rules to show: those with the most matches. */
const MAX_RULES = 50;

/** Renders the most frequent matches of each rule; empty if they are unknown or not requested. */
export function topSection({ summary: { rules, breakdown } }: ReplayPart, layout: Layout): string {
  const sections = rules.map((rule, index) => ({ rule, lines: ruleLines(rule, breakdown?.rules[index], layout) }));
  const listed = sections.filter(({ lines }) => lines.length > 0);
  if (listed.length === 0) return '';
  const most = new Set(listed.toSorted((a, b) => b.rule.matched - a.rule.matched).slice(0, MAX_RULES));
  const hiddenCount = listed.length - most.size;
  return [
    `  ${layout.paint('strong', 'most frequent matches')}`,
    ...listed.flatMap(one => (most.has(one) ? one.lines : [])),
    ...(hiddenCount > 0
      ? [`  ${layout.paint('frame', `… and ${pluralize(hiddenCount, 'rule')} with fewer matches`)}`]
      : []),
  ].join('\n');
}

/** Renders the clients, paths and countries of each outcome other than passing; empty if they are unknown or not requested. */
export function outcomeKeysSection({ summary: { breakdown } }: ReplayPart, layout: Layout): string {
  const blocks = (breakdown?.outcomes ?? []).flatMap(({ outcome, keys }) => {
    const lines = DIMENSIONS.flatMap(dimension => dimensionLines(dimension, keys[dimension], layout));
    return lines.length === 0 ? [] : [`  ${layout.paint('frame', formatOutcome(outcome))}`, ...lines];
  });
  return blocks.length === 0 ? '' : [`  ${layout.paint('strong', 'who is affected')}`, ...blocks].join('\n');
}

function ruleLines(rule: RuleSummary, breakdown: RuleBreakdown | undefined, layout: Layout): readonly string[] {
  const keys = breakdown?.keys;
  if (keys === undefined || rule.matched === 0) return [];
  const lines = DIMENSIONS.flatMap(dimension => dimensionLines(dimension, keys[dimension], layout));
  if (lines.length === 0) return [];
  const name = rule.name === undefined ? '' : `  ${truncate(printable(rule.name), proseWidth(layout) - 16)}`;
  return [`  ${layout.paint('frame', ruleLabel(rule))}${name}`, ...lines];
}

function dimensionLines(dimension: KeyDimension, keys: KeySummary, layout: Layout): readonly string[] {
  if (keys.top.length === 0) return [];
  const title = `    ${dimension.padEnd(longest(DIMENSIONS))}  `;
  const lines = wrapWords(keyTexts(keys), proseWidth(layout) - title.length);
  return lines.map((line, index) => (index === 0 ? title : ' '.repeat(title.length)) + line);
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(displayWidth));
}

/** Returns the parts of a list: `/a (12),` `/b (3),` `17 in total;` `5 unknown`. */
export function keyTexts({ top, distinct, unknown }: KeySummary): readonly string[] {
  const keys = top.map(({ text, count }) => `${truncate(printable(text), MAX_KEY_WIDTH)} (${formatBounds(count)})`);
  if (distinct === undefined) keys.push('and too many to count all');
  else if (distinct > top.length) keys.push(`${formatCount(distinct)} in total`);
  const commas = keys.map((key, index) => (index < keys.length - 1 ? `${key},` : key));
  return unknown === 0 ? commas : [...commas.slice(0, -1), `${commas.at(-1)};`, `${formatCount(unknown)} unknown`];
}
