const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => ENTITIES[sign]!);
}

/** A text in which what stands in backticks is code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A value of an example, as people read JSON. */
export function exampleHtml(title: string, value: unknown): string {
  const json = escaped(JSON.stringify(value, undefined, 2));
  return `<details><summary>${escaped(title)}</summary><pre><code>${json}</code></pre></details>`;
}
