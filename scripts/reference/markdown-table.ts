/** Formats a string as inline code in Markdown. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Formats rows as a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}
