// HTML of documentation: a few elements, and no attributes but links. The text is that of the catalog, or of a policy that somebody sent.

const ALLOWED: ReadonlySet<string> = new Set(
  'A B BLOCKQUOTE BR CODE EM H1 H2 H3 H4 HR I LI OL P PRE SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(' '),
);

/** Returns HTML without anything that could run, load or be submitted. */
export function sanitizeHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  clean(body);
  return body.innerHTML;
}

function clean(parent: Element): void {
  for (const element of [...parent.children]) {
    if (!ALLOWED.has(element.tagName)) {
      element.replaceWith(element.textContent ?? '');
      continue;
    }
    const link = element.tagName === 'A' ? element.getAttribute('href') : null;
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
    if (link !== null && /^https:\/\//.test(link)) {
      element.setAttribute('href', link);
      element.setAttribute('target', '_blank');
      element.setAttribute('rel', 'noopener noreferrer');
    }
    clean(element);
  }
}
