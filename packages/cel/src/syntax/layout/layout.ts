/** Text that knows where it may be broken into lines, in the manner of Wadler's "A prettier printer". */
export type Layout = string | Part;

type Part =
  /** A line break where the group around it is broken, `flat` otherwise. */
  | { readonly kind: 'line'; readonly flat: '' | ' ' }
  | { readonly kind: 'sequence'; readonly parts: readonly Layout[]; readonly facts: Facts }
  /** Stands on one line where that fits. */
  | { readonly kind: 'group'; readonly content: Layout; readonly facts: Facts }
  | { readonly kind: 'indent'; readonly content: Layout; readonly facts: Facts }
  /** Runs to the end of its line, which breaks the groups around it. */
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
  const facts = { isBreakable: parts.some(isBreakable), isForced: parts.some(isForced) };
  // Most expressions have nothing to break, and are one text.
  return parts.every(part => typeof part === 'string') ? parts.join('') : { kind: 'sequence', parts, facts };
}

export function group(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'group', content, facts: factsOf(content) };
}

export function indent(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'indent', content, facts: factsOf(content) };
}

/** The layouts with a comma and a line between them. */
export function commaSeparated(items: readonly Layout[]): Layout {
  return sequence(...items.flatMap((item, index) => (index === 0 ? [item] : [',', LINE, item])));
}

/** Whether the layout can take more than one line. */
export function isBreakable(layout: Layout): boolean {
  return factsOf(layout).isBreakable;
}

/** Whether the layout cannot stand on one line. */
export function isForced(layout: Layout): boolean {
  return factsOf(layout).isForced;
}

/** The layout on one line. */
export function flatText(layout: Layout): string {
  if (typeof layout === 'string') return layout;
  if (layout.kind === 'line') return layout.flat;
  if (layout.kind === 'comment') return layout.text;
  return layout.kind === 'sequence' ? layout.parts.map(flatText).join('') : flatText(layout.content);
}

function factsOf(layout: Layout): Facts {
  if (typeof layout === 'string') return { isBreakable: false, isForced: false };
  if (layout.kind === 'line') return { isBreakable: true, isForced: false };
  return layout.kind === 'comment' ? { isBreakable: true, isForced: true } : layout.facts;
}
