import { printable } from '@tollgate/diagnostics';
import type { EdgeReplaySummary, TrafficSummary } from '@tollgate/simulator';
import { formatCount, pluralize } from '../../text/format-count.ts';
import { heading, type Layout, proseWidth, tableRoom } from '../../text/layout.ts';
import { type Cell, tableText } from '../../text/table.ts';
import { wrapText } from '../../text/wrap-text.ts';
import { formatNeeds } from '../result/outcome-text.ts';
import { skippedText } from '../result/skipped-text.ts';

/** Maximum number of files to list; there may be thousands. */
const FILES_SHOWN = 20;

/** Renders what was read. */
export function trafficSection({ files, skipped }: TrafficSummary, layout: Layout): string {
  const { paint } = layout;
  const rows: Cell[][] = [heading('traffic', 'exchanges', 'skipped')];
  for (const file of files.slice(0, FILES_SHOWN)) rows.push(fileRow(file.file, file));
  const others = files.slice(FILES_SHOWN);
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
