// Reports of the command in the page: their terminal colours as elements. What a report says about traffic is text and nothing else.

/** Classes of the styles of `ANSI` in `@tollgate/diagnostics`, by their codes. */
const CLASSES: Readonly<Record<string, string>> = {
  '1;31': 'error',
  '1;33': 'warning',
  '1;36': 'info',
  '1;32': 'hint',
  '34': 'frame',
  '1': 'strong',
  '2': 'faint',
};

/** Larger reports are cut: laying out more text takes longer than the page may be frozen. */
const MAX_LENGTH = 200_000;

/** Shows a report. */
export function showReport(target: HTMLElement, report: string): void {
  const text = report.length > MAX_LENGTH ? `${report.slice(0, MAX_LENGTH)}\n… (cut)` : report;
  const parts: (Node | string)[] = [];
  let style: string | undefined;
  for (const [index, part] of text.split(/\u001b\[([\d;]*)m/).entries()) {
    if (index % 2 === 1) style = Object.hasOwn(CLASSES, part) ? CLASSES[part] : undefined;
    else if (part !== '') parts.push(style === undefined ? part : spanOf(part, style));
  }
  target.replaceChildren(...parts);
}

function spanOf(text: string, style: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `style-${style}`;
  span.textContent = text;
  return span;
}

/** Returns how many columns of a report fit into an element. */
export function columnsOf(element: HTMLElement): number {
  const probe = document.createElement('span');
  probe.textContent = '0'.repeat(100);
  probe.style.visibility = 'hidden';
  probe.style.position = 'absolute';
  element.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const room = element.clientWidth - 2 * Number.parseFloat(getComputedStyle(element).paddingLeft || '0');
  return width === 0 || room <= 0 ? 80 : Math.max(30, Math.min(160, Math.floor(room / width)));
}
