const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** Escapes a string and formats parts in backticks as code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns an example as collapsible, indented JSON. */
export function exampleHtml(title: string, value: unknown): string {
  const json = escaped(JSON.stringify(value, undefined, 2));
  return `<details><summary>${escaped(title)}</summary><pre><code>${json}</code></pre></details>`;
}
