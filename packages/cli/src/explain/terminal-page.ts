import { type CodeExample, displayWidth, type Paint, printable, type Range, SourceText } from '@tollgate/diagnostics';
import type { CodePage } from '../output/rule-description.ts';
import { wrapText } from '../text/wrap-text.ts';
import { exampleFindings } from './example-findings.ts';
import { exampleNotes, pageStatus, refusalNotes, suppressions } from './page-facts.ts';

/** Colours and width of a page. */
interface PageStyle {
  readonly paint: Paint;
  readonly width?: number | undefined;
}

const MAX_WIDTH = 100;
const INDENT = '  ';

/** Renders the page of a code for a terminal. */
export function terminalPage(page: CodePage, { paint, width = 80 }: PageStyle): string {
  const { code, severity, summary, rationale, remedy, bad, good, withoutExample } = page;
  const room = Math.min(width, MAX_WIDTH) - INDENT.length;
  const prose = (text: string) =>
    wrapText(text, room)
      .map(line => INDENT + highlight(line, paint))
      .join('\n');
  const suppressed = suppressions(page).map(
    ({ text, where }) => `${INDENT}${text}\n${INDENT}${INDENT}${highlight(where, paint)}`,
  );
  const refused = refusalNotes(page);
  const parts = [
    `${paint(severity, code)}\n${INDENT}${paint('strong', summary)}\n${prose(pageStatus(page))}`,
    prose(rationale),
    ...(remedy === undefined ? [] : [prose(remedy)]),
    ...(refused.length === 0 ? [] : [`${INDENT}The service rejects it with:\n${refused.map(prose).join('\n')}`]),
    ...(bad ? [badSection(page, bad, { paint, width: room })] : []),
    ...(good ? [`${paint('hint', 'Good')}${notesOf(good)}\n\n${textWithNumbers(good, paint)}`] : []),
    ...(withoutExample === undefined ? [] : [prose(`There is no example: ${withoutExample}.`)]),
    ...(suppressed.length === 0 ? [] : [`${paint('strong', 'Suppress')}\n\n${suppressed.join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Matches code in backticks, and emphasis. */
function highlight(line: string, paint: Paint): string {
  return line
    .replaceAll(/`[^`]+`/g, quoted => paint('info', quoted))
    .replaceAll(/(?<![\w*/`])\*(\w+)\*(?![\w*/`])/g, (_, word: string) => paint('strong', word));
}

function notesOf(example: CodeExample): string {
  const notes = exampleNotes(example);
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

function badSection(page: CodePage, example: CodeExample, look: Required<PageStyle>): string {
  const found = exampleFindings(example, page).filter(({ code }) => code === page.code);
  const [first] = found;
  const title = `${look.paint('error', 'Bad')}${notesOf(example)}`;
  const ranges = example.stands ? [] : found.flatMap(({ range }) => range ?? []);
  const text = textWithNumbers(example, look.paint, ranges);
  if (!first) return `${title}\n\n${text}`;
  const message = wrapText(
    `${first.severity ?? 'error'}: ${printable(first.message)}`,
    (look.width ?? 80) - INDENT.length,
  );
  return `${title}\n\n${text}\n\n${message.map(line => INDENT + highlight(line, look.paint)).join('\n')}`;
}

/** Renders the source with line numbers, and carets below the start of each range. */
function textWithNumbers({ text }: CodeExample, paint: Paint, ranges: readonly Range[] = []): string {
  const source = new SourceText('example', text.replace(/\n$/, ''));
  const gutter = String(source.lineCount).length;
  const lines = Array.from({ length: source.lineCount }, (_, line) => {
    const bounds = source.lineRange(line);
    const shown = printable(source.text.slice(bounds.start, bounds.end));
    const numbered = `${INDENT}${paint('frame', `${String(line + 1).padStart(gutter)} |`)} ${shown}`.trimEnd();
    const carets = caretsUnder(source.text, bounds, ranges);
    return carets === ''
      ? numbered
      : `${numbered}\n${INDENT}${paint('frame', `${' '.repeat(gutter)} |`)} ${paint('error', carets)}`;
  });
  return lines.join('\n');
}

function caretsUnder(text: string, line: Range, ranges: readonly Range[]): string {
  let carets = '';
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start < line.start || start > line.end) continue;
    const before = displayWidth(printable(text.slice(line.start, start)));
    if (before < carets.length) continue;
    const under = displayWidth(printable(text.slice(start, Math.min(end, line.end))));
    carets = carets.padEnd(before) + '^'.repeat(Math.max(1, under));
  }
  return carets;
}
