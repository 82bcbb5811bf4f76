/** A value as it was written, aliases not followed. Offsets are of the text that was read. */
export type SyntaxNode = SyntaxScalar | SyntaxAlias | SyntaxCollection;

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** What may stand before a value. */
interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

export interface SyntaxScalar extends Placed, Properties {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** Without quotes and escapes. */
  readonly value: string;
  readonly source: string;
}

export interface SyntaxAlias extends Placed {
  readonly kind: 'alias';
  readonly name: string;
}

/** A map or a list. */
export interface SyntaxCollection extends Placed, Properties {
  readonly kind: 'map' | 'list';
  /** Whether it stands in brackets. */
  readonly isFlow: boolean;
  readonly slots: readonly Slot[];
}

/** An entry of a map, or an item of a list. */
export interface Slot extends Placed {
  /** Undefined in lists. */
  readonly key: SyntaxScalar | undefined;
  /** Undefined where it is left out. */
  readonly value: SyntaxNode | undefined;
  readonly hasBlankBefore: boolean;
}

export interface Comment {
  readonly start: number;
  /** With its `#`. */
  readonly text: string;
  /** Whether nothing but white space stands before it on its line. */
  readonly isOwnLine: boolean;
  readonly hasBlankBefore: boolean;
}

/** One of the documents of a text. */
export interface SyntaxDocument {
  /** Such as `%YAML 1.2`. */
  readonly directives: readonly string[];
  /** Where `---` stands, if it does. */
  readonly marker: number | undefined;
  readonly root: SyntaxNode | undefined;
  /** In the order of the text. */
  readonly comments: readonly Comment[];
}

export function isCollection(node: SyntaxNode | undefined): node is SyntaxCollection {
  return node?.kind === 'map' || node?.kind === 'list';
}
