import { printable } from '../display-cells.ts';

/** A table of Markdown; the cells are Markdown themselves. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** Text as Markdown: everything that Markdown or HTML would read is escaped by its number. */
export function markdownText(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|&~@:$-]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Code by elements of HTML: backticks and bars cannot be told apart inside a table's code. */
export function markdownCode(text: string): string {
  return text === '' ? '' : `<code>${markdownText(text)}</code>`;
}
