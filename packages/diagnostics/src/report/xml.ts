/** An element of XML. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly (XmlElement | string)[];
}

/** A document of XML 1.0. What it cannot hold (most control characters, lone surrogates) becomes U+FFFD. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root, '')}\n`;
}

function elementText({ name, attributes, children = [] }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const start = `${indent}<${name}${written.join('')}`;
  if (children.length === 0) return `${start}/>`;
  // Spaces beside text would belong to it.
  if (children.every(child => typeof child === 'string'))
    return `${start}>${children.map(escapeText).join('')}</${name}>`;
  const inner = children.map(child =>
    typeof child === 'string' ? escapeText(child) : elementText(child, `${indent}  `),
  );
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}

function escapeText(text: string): string {
  return onlyCharacters(text).replace(/[&<>\r]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Line breaks and tabs would become spaces. */
function escapeAttribute(text: string): string {
  return onlyCharacters(text).replace(/[&<>"\t\n\r]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Section 2.2 of XML 1.0 says which characters there are. */
function onlyCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
