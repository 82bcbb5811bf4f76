import type { ActionFact, EndpointKind, Phase } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { MapNode, PlainValue } from '../document/model/document-node.ts';
import type { MappedText } from '../document/model/mapped-text.ts';

/** A policy as it was read: plain data, with the place in the document of everything that was written. */
export interface Policy {
  readonly uri: string;
  readonly endpoint: EndpointKind;
  readonly range: Range;
  /** The map of the document that has the phases. */
  readonly node: MapNode;
  /** True unless the document says otherwise. */
  readonly enabled: boolean;
  /** Those of each phase in the order of the document; none for phases that the profile does not have. */
  readonly rules: Readonly<Record<Phase, readonly Rule[]>>;
}

/** Conditions and what to do when all of them hold. */
export interface Rule {
  readonly phase: Phase;
  /** Zero-based, in its phase. */
  readonly index: number;
  readonly name: Written | undefined;
  readonly range: Range;
  readonly expressions: readonly Expression[];
  readonly actions: readonly Action[];
}

/** A text that was written, and where, without quotes. */
export interface Written {
  readonly value: string;
  readonly range: Range;
}

/** A condition of a rule. */
export interface Expression {
  readonly source: string;
  /** Quotes and block header included. */
  readonly range: Range;
  /** Tells where a part of `source` stands in the document: see `documentRange`. */
  readonly text: MappedText;
  /** Undefined when the expression has an error. */
  readonly typed: TypedAst | undefined;
}

/** What a rule does. */
export interface Action {
  readonly type: Written;
  readonly range: Range;
  /** Undefined when the profile has no such action. */
  readonly fact: ActionFact | undefined;
  /** As written, without places; empty when there is none. */
  readonly config: { readonly [key: string]: PlainValue };
  /** The configuration with its places, where it is a map. */
  readonly configNode: MapNode | undefined;
  /** Those in its configuration, in the order of the document. */
  readonly expressions: readonly EmbeddedExpression[];
}

/** An expression in the text of a configuration: the whole of it, or what is filled in by `${…}`. */
export interface EmbeddedExpression {
  readonly kind: 'whole' | 'interpolation';
  readonly source: string;
  /** The text that holds the expression, at `offset`; the same object as in `configNode`. */
  readonly text: MappedText;
  readonly offset: number;
  /** Undefined when the expression has an error. */
  readonly typed: TypedAst | undefined;
}
