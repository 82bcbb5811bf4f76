import type { ActionFact, EndpointKind, Phase, Profile } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { limitOf, type MapNode, type PlainValue, type Reporter } from '../document/document-node.ts';
import type { MappedText } from '../document/scalar-text.ts';
import type { ExpressionCache } from '../expressions/expression-cache.ts';
import type { PhaseEnvironments } from '../expressions/phase-environment.ts';

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

const LISTS = {
  maxRules: { code: 'limit/rules', what: 'a policy has at most', of: 'rules' },
  maxExpressions: { code: 'limit/expressions', what: 'a rule has at most', of: 'expressions' },
  maxActions: { code: 'limit/actions', what: 'a rule has at most', of: 'actions' },
} as const;

/** Reports a list that is longer than the profile allows, at the first excess item. */
export function reportTooMany(
  items: readonly { readonly range: Range }[],
  limit: keyof typeof LISTS,
  { profile, reporter }: { readonly profile: Profile; readonly reporter: Reporter },
): void {
  const value = limitOf(profile, limit, Number.POSITIVE_INFINITY);
  const first = items[value];
  if (!first) return;
  const { code, what, of } = LISTS[limit];
  const message = `${what} ${value} ${of} (${limit}), found ${items.length}`;
  reporter.report({ code, message, range: first.range, args: { limit, value, found: items.length } });
}

/** Keys that people write instead of a policy's keys, in lowercase. */
const ROWS: readonly (readonly [words: string, key: string])[] = [
  ['expression expr condition conditions when if match matches filter filters where', 'expressions'],
  ['action then do', 'actions'],
  ['title label', 'name'],
  ['action kind use uses', 'type'],
  ['configuration parameters params options with args settings spec', 'config'],
];

/** Returns the known key that a word is another name for. */
export function intendedKey(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  return ROWS.find(([words, key]) => known.includes(key) && words.split(' ').includes(lower))?.[1];
}

/** The context in which a policy is read. */
export interface PolicyContext {
  readonly uri: string;
  /** The source text. */
  readonly document: string;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: PhaseEnvironments;
  readonly expressions: ExpressionCache | undefined;
  readonly reporter: Reporter;
  /** True if the profile was neither given nor detected. */
  readonly isGuessed?: boolean;
}
