import { printable } from '@tollgate/diagnostics';

/** Text of HTML; what users or clients wrote is escaped in it. */
export interface Html {
  readonly html: string;
}

/** What may stand in a template of {@link html}: text is escaped, lists stand one after the other, undefined for nothing. */
export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

/** Makes HTML of a template. Attributes are to stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: texts.map((text, index) => text + partText(parts[index])).join('') };
}

function partText(part: HtmlPart): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'html' in part ? part.html : part.map(partText).join('');
}

function escaped(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** A page that stands by itself: browsers load nothing for it, and run nothing in it. */
export interface HtmlPage {
  readonly title: string;
  /** CSS, by ourselves. */
  readonly style: string;
  readonly body: Html;
}

/** The text of a page. */
export function htmlPage({ title, style, body }: HtmlPage): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  const head = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>`;
  return `${head.html}${style}</style></head>\n${html`<body>${body}</body></html>`.html}\n`;
}
