// HTML in which all user-supplied strings are escaped, and the frame of self-contained pages.

import { printable } from '@tollgate/diagnostics';

/** A fragment of HTML in which all user-supplied strings are escaped. */
export interface Html {
  readonly html: string;
}

/** A value in a template of {@link html}: strings are escaped, lists are concatenated, and undefined is left out. */
type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

/** Template tag that returns HTML. Attribute values must be in double quotes. */
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

/** Returns a self-contained page: it loads nothing and runs no scripts. */
interface HtmlPage {
  readonly title: string;
  /** CSS, which is not escaped. */
  readonly style: string;
  readonly body: Html;
}

/** Returns the source of a fragment. */
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
