/** A document that may be broken into lines, as in Wadler's "A prettier printer". */
export type Layout = string | Part;

type Part =
  /** A line break if the surrounding group is broken, otherwise `flat`. */
  | { readonly kind: 'line'; readonly flat: '' | ' ' }
  | { readonly kind: 'sequence'; readonly parts: readonly Layout[]; readonly facts: Facts }
  /** On one line if it fits. */
  | { readonly kind: 'group'; readonly content: Layout; readonly facts: Facts }
  | { readonly kind: 'indent'; readonly content: Layout; readonly facts: Facts }
  /** Extends to the end of its line and so breaks the surrounding groups. */
  | { readonly kind: 'comment'; readonly text: string };

interface Facts {
  readonly isBreakable: boolean;
  readonly isForced: boolean;
}

/** A space, or a line break. */
export const LINE: Layout = { kind: 'line', flat: ' ' };

/** Nothing, or a line break. */
export const SOFT_LINE: Layout = { kind: 'line', flat: '' };

export function comment(text: string): Layout {
  return { kind: 'comment', text };
}

export function sequence(...parts: readonly Layout[]): Layout {
  // Most expressions have no break and are one string.
  if (parts.every(part => typeof part === 'string')) return parts.join('');
  return { kind: 'sequence', parts, facts: { isBreakable: parts.some(isBreakable), isForced: parts.some(isForced) } };
}

export function group(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'group', content, facts: factsOf(content) };
}

export function indent(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'indent', content, facts: factsOf(content) };
}

/** Returns the layouts separated by a comma and a line. */
export function commaSeparated(items: readonly Layout[]): Layout {
  return sequence(...items.flatMap((item, index) => (index === 0 ? [item] : [',', LINE, item])));
}

/** Returns true if the layout can take more than one line. */
export function isBreakable(layout: Layout): boolean {
  return factsOf(layout).isBreakable;
}

/** Returns true if the layout cannot be on one line. */
export function isForced(layout: Layout): boolean {
  return factsOf(layout).isForced;
}

/** Returns the layout on one line. */
export function flatString(layout: Layout): string {
  if (typeof layout === 'string') return layout;
  if (layout.kind === 'line') return layout.flat;
  if (layout.kind === 'comment') return layout.text;
  return layout.kind === 'sequence' ? layout.parts.map(flatString).join('') : flatString(layout.content);
}

function factsOf(layout: Layout): Facts {
  if (typeof layout === 'string') return STRING;
  if (layout.kind === 'line') return BREAK;
  return layout.kind === 'comment' ? COMMENT : layout.facts;
}

const STRING: Facts = { isBreakable: false, isForced: false };
const BREAK: Facts = { isBreakable: true, isForced: false };
const COMMENT: Facts = { isBreakable: true, isForced: true };
