/** A value as written, without following aliases. Offsets are relative to the text that was read. */
export type SyntaxNode = SyntaxScalar | SyntaxAlias | SyntaxCollection;

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** What may precede a value. */
interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

export interface SyntaxScalar extends Placed, Properties {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** Decoded, without quotes. */
  readonly value: string;
  readonly source: string;
}

export interface SyntaxAlias extends Placed {
  readonly kind: 'alias';
  readonly name: string;
}

/** A map or list. */
export interface SyntaxCollection extends Placed, Properties {
  readonly kind: 'map' | 'list';
  /** Whether it is in brackets. */
  readonly isFlow: boolean;
  readonly slots: readonly Slot[];
}

/** An entry of a map or item of a list. */
export interface Slot extends Placed {
  /** Undefined in lists. */
  readonly key: SyntaxScalar | undefined;
  /** Undefined if omitted. */
  readonly value: SyntaxNode | undefined;
  readonly hasBlankBefore: boolean;
}

export interface Comment {
  readonly start: number;
  /** Includes the `#`. */
  readonly text: string;
  /** Whether it is alone on its line. */
  readonly isOwnLine: boolean;
  readonly hasBlankBefore: boolean;
}

/** A document of a file. */
export interface SyntaxDocument {
  /** Such as `%YAML 1.2`. */
  readonly directives: readonly string[];
  /** Offset of `---`, if present. */
  readonly marker: number | undefined;
  readonly root: SyntaxNode | undefined;
  /** In document order. */
  readonly comments: readonly Comment[];
}

export function isCollection(node: SyntaxNode | undefined): node is SyntaxCollection {
  return node?.kind === 'map' || node?.kind === 'list';
}
