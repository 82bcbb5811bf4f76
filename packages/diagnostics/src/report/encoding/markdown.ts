import { printable } from '../../display-cells.ts';

/** Returns a Markdown table; the cells are Markdown themselves. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** Escapes text for Markdown: characters with a meaning in Markdown or HTML become numeric references. */
export function markdownText(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|&~@:$-]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Returns code as an HTML element, because code spans in tables cannot contain both backticks and bars. */
export function markdownCode(text: string): string {
  return text === '' ? '' : `<code>${markdownText(text)}</code>`;
}
