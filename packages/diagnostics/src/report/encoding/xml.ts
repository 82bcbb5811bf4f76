/** An XML element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly (XmlElement | string)[];
}

/** Returns an XML 1.0 document. Characters that it cannot contain (most control characters, unpaired surrogates) become U+FFFD. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root, '')}\n`;
}

function elementText({ name, attributes, children = [] }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const start = `${indent}<${name}${written.join('')}`;
  if (children.length === 0) return `${start}/>`;
  // Indentation next to text would become part of it.
  if (children.every(child => typeof child === 'string'))
    return `${start}>${children.map(escapeText).join('')}</${name}>`;
  const inner = children.map(child =>
    typeof child === 'string' ? escapeText(child) : elementText(child, `${indent}  `),
  );
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}

/** Escapes markup, and what a terminal or a log would obey. */
function escapeText(text: string): string {
  return onlyCharacters(text).replace(
    /[&<>\t\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g,
    character => `&#${character.charCodeAt(0)};`,
  );
}

/** Also escapes line breaks and tabs, which would otherwise become spaces. */
function escapeAttribute(text: string): string {
  return onlyCharacters(text).replace(
    /[&<>"\t\n\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g,
    character => `&#${character.charCodeAt(0)};`,
  );
}

/** The characters of XML 1.0, section 2.2. */
function onlyCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
