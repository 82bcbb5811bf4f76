import type { ActionFact, EndpointKind, Phase } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { MapNode, PlainValue } from '../document/model/document-node.ts';
import type { MappedText } from '../document/model/mapped-text.ts';

/** A policy as read: plain data, with the source range of every part. */
export interface Policy {
  readonly uri: string;
  readonly endpoint: EndpointKind;
  readonly range: Range;
  /** The map that contains the phases. */
  readonly node: MapNode;
  /** True by default. */
  readonly enabled: boolean;
  /** The rules of each phase in document order; empty for phases that the profile does not have. */
  readonly rules: Readonly<Record<Phase, readonly Rule[]>>;
}

/** Conditions, and what to do if all of them hold. */
export interface Rule {
  readonly phase: Phase;
  /** Zero-based, within its phase. */
  readonly index: number;
  readonly name: Written | undefined;
  readonly range: Range;
  readonly expressions: readonly Expression[];
  readonly actions: readonly Action[];
}

/** A string and its range without quotes. */
export interface Written {
  readonly value: string;
  readonly range: Range;
}

/** A condition of a rule. */
export interface Expression {
  readonly source: string;
  /** Includes quotes and block header. */
  readonly range: Range;
  /** Maps parts of `source` to the document; see `documentRange`. */
  readonly text: MappedText;
  /** Undefined if the expression has an error. */
  readonly typed: TypedAst | undefined;
}

/** What a rule does. */
export interface Action {
  readonly type: Written;
  readonly range: Range;
  /** The catalog's description; undefined if the profile has no such action. */
  readonly fact: ActionFact | undefined;
  /** The configuration without ranges; empty if there is none. */
  readonly config: { readonly [key: string]: PlainValue };
  /** The configuration with ranges, if it is a map. */
  readonly configNode: MapNode | undefined;
  /** The expressions in its configuration, in document order. */
  readonly expressions: readonly EmbeddedExpression[];
}

/** An expression in a configuration string: all of it, or the inside of `${…}`. */
export interface EmbeddedExpression {
  readonly kind: 'whole' | 'interpolation';
  readonly source: string;
  /** The string that contains the expression at `offset`; the same object as in `configNode`. */
  readonly text: MappedText;
  readonly offset: number;
  /** Undefined if the expression has an error. */
  readonly typed: TypedAst | undefined;
}
