import { ANSI, displayWidth } from '@tollgate/diagnostics';
import { type Html, html } from '../../text/html.ts';
import { drawExpression, MIN_ROOM } from '../text/draw-expression.ts';
import { nodeText } from '../view/node-text.ts';
import type { SubExpression } from '../view/sub-expression.ts';
import type { ExpressionView } from '../view/trace-view.ts';
import { ansiHtml } from './ansi-html.ts';

/** Widths of drawings on wide and narrow screens, in columns. */
const WIDE = 110;
const NARROW = 36;
/** Maximum length of a value, in UTF-16 code units. */
const MAX_LENGTH = 1000;

/**
 * Renders an expression whose parts show their values on hover or focus, and a drawing of all values: below the source, or instead of it if
 * they have the same width.
 */
export function expressionHtml({ root, source }: ExpressionView): Html {
  const [wide, narrow] = [WIDE, NARROW].map(width => drawExpression(root, source, { paint: ANSI, width }));
  const isOneRow = !/[\r\n]/.test(source.trimEnd()) && displayWidth(source) <= WIDE - MIN_ROOM;
  const shown = sourceHtml(source, root);
  const parts = html`<div class="source mono${isOneRow ? ' replaced' : ''}">${shown}</div>`;
  const first = isOneRow ? html`<span class="whole">${shown}</span>\n` : undefined;
  return html`${parts}
${drawn(isOneRow ? wide!.slice(1) : wide!, 'wide', first)}${drawn(narrow!, 'narrow')}`;
}

function drawn(lines: readonly string[], kind: string, first?: Html): Html {
  const rows = lines.map(line => html`${ansiHtml(line)}\n`);
  return html`<pre class="drawn ${kind}" tabindex="0" aria-label="values of the parts">${first}${rows}</pre>`;
}

/** Renders the source lines; the source around the root is included. */
function sourceHtml(source: string, root: SubExpression): Html {
  const { start, end } = root.range;
  return html`${lines(source.slice(0, start))}${partHtml(root, source)}${lines(source.slice(end).trimEnd())}`;
}

function partHtml(part: SubExpression, source: string): Html {
  const { range, children, count, isConstant } = part;
  const inner: Html[] = [];
  let at = range.start;
  for (const child of children) {
    if (child.range.start < at || child.range.end > range.end) continue;
    inner.push(lines(source.slice(at, child.range.start)), partHtml(child, source));
    at = child.range.end;
  }
  inner.push(lines(source.slice(at, range.end)));
  if (isConstant) return html`${inner}`;
  const { text } = count === 0 ? { text: 'not evaluated' } : nodeText(part, MAX_LENGTH);
  return html`<span class="part ${kindOf(part)}" tabindex="0">${inner}<span class="value" role="note"><b>${oneLine(part.text)}</b>
${text}${part.type === undefined ? '' : html` <span class="quiet">${part.type}</span>`}</span></span>`;
}

/** Returns the class for the colour of a value. */
function kindOf(part: SubExpression): string {
  if (part.count === 0) return 'skipped';
  const { style } = nodeText(part, 10);
  if (style === 'error') return 'error';
  if (style === 'warning') return 'unknown';
  if (part.results.length > 0 && part.results.every(result => result === false)) return 'false';
  return style === 'hint' ? 'true' : 'known';
}

/** Makes all control characters visible except line breaks. */
function lines(text: string): Html {
  const parts = text.split(/\r\n|\n|\r/);
  return html`${parts.map((line, index) =>
    index === 0
      ? html`${tabless(line)}`
      : html`
${tabless(line)}`,
  )}`;
}

function tabless(line: string): string {
  return line.replaceAll('\t', '    ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
