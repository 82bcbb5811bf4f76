/** Markup that is safe to show: all strings in it are escaped. */
export interface Html {
  readonly markup: string;
}

/** What an element may contain; strings are text. */
export type Content = Html | string | number | undefined | readonly Content[];

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const VOID = ['br', 'hr', 'meta', 'link'];

/** Returns an element. An attribute that is `true` has no value; one that is `false` or undefined is left out. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Html {
  const given = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? ` ${key}` : ` ${key}="${escapeText(String(value))}"`];
  });
  const start = `<${name}${given.join('')}>`;
  return { markup: VOID.includes(name) ? start : `${start}${markupOf(content)}</${name}>` };
}

/** Joins parts without an element around them. */
export function fragment(...content: readonly Content[]): Html {
  return { markup: markupOf(content) };
}

/** Returns a string as it is shown between tags and in attributes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

function markupOf(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string' || typeof content === 'number') return escapeText(String(content));
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}
