import type { ValueRole } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import { type Comparison, comparisonOf } from '@tollgate/cel/tooling';
import {
  type HeaderRead,
  headerReadsIn,
  type Lookup,
  lookupsIn,
  lookupsOf,
  type RangeArgument,
  rangeArgumentsIn,
} from './lookups.ts';
import { hasOne, mayRead, type ProfileRoles } from './profile-roles.ts';
import { type SourceNode, sourceNodes } from './source-nodes.ts';
import { testsOf, type ValueTest, valueTestsIn } from './value-tests.ts';

/** What lint rules commonly need to know about an expression. Each part is computed on first use. */
export interface ExpressionAnalysis {
  /** All nodes as written in the source, parents before children. */
  readonly nodes: readonly SourceNode[];
  /** Comparisons with a literal, in source order. */
  readonly comparisons: readonly Comparison[];
  /** Reads of headers with a constant name. */
  readonly headerReads: readonly HeaderRead[];
  /** Tests of inputs against literals, also within macros and conversions. */
  readonly valueTests: readonly ValueTest[];
  /** Lookups of constant names in headers, parameters and cookies, functions included. */
  readonly lookups: readonly Lookup[];
  /** Address ranges that functions take. */
  readonly rangeArguments: readonly RangeArgument[];
  /** Returns the {@link valueTests} of inputs with one of the roles. Most expressions are rejected by searching their source. */
  readonly testsOf: (...roles: readonly ValueRole[]) => readonly ValueTest[];
  /** Returns the {@link lookups} in inputs with one of the roles. */
  readonly lookupsOf: (...roles: readonly ValueRole[]) => readonly Lookup[];
}

/** Returns an analysis of an expression; nothing is computed yet. */
export function analyzeExpression(typed: TypedAst, roles: ProfileRoles): ExpressionAnalysis {
  return new LazyAnalysis(typed, roles);
}

const NO_TESTS: readonly ValueTest[] = [];
const NO_LOOKUPS: readonly Lookup[] = [];

class LazyAnalysis implements ExpressionAnalysis {
  readonly #typed: TypedAst;
  readonly #roles: ProfileRoles;
  #nodes: readonly SourceNode[] | undefined;
  #comparisons: readonly Comparison[] | undefined;
  #headerReads: readonly HeaderRead[] | undefined;
  #valueTests: readonly ValueTest[] | undefined;
  #lookups: readonly Lookup[] | undefined;
  #rangeArguments: readonly RangeArgument[] | undefined;

  constructor(typed: TypedAst, roles: ProfileRoles) {
    this.#typed = typed;
    this.#roles = roles;
  }

  get nodes(): readonly SourceNode[] {
    this.#nodes ??= sourceNodes(this.#typed.ast);
    return this.#nodes;
  }

  get comparisons(): readonly Comparison[] {
    this.#comparisons ??= this.nodes.flatMap(({ node }) => (node.kind === 'call' ? (comparisonOf(node) ?? []) : []));
    return this.#comparisons;
  }

  get headerReads(): readonly HeaderRead[] {
    this.#headerReads ??= headerReadsIn(this.#typed, this.nodes);
    return this.#headerReads;
  }

  get valueTests(): readonly ValueTest[] {
    this.#valueTests ??= valueTestsIn(this.#typed, this.#roles, this.nodes);
    return this.#valueTests;
  }

  get lookups(): readonly Lookup[] {
    this.#lookups ??= lookupsIn(this.#typed, this.#roles, this.nodes);
    return this.#lookups;
  }

  get rangeArguments(): readonly RangeArgument[] {
    this.#rangeArguments ??= hasOne(this.#source, this.#roles.rangeWords)
      ? rangeArgumentsIn(this.#typed, this.#roles, this.nodes)
      : [];
    return this.#rangeArguments;
  }

  testsOf(...roles: readonly ValueRole[]): readonly ValueTest[] {
    return mayRead(this.#source, this.#roles.words, roles) ? testsOf(this.valueTests, ...roles) : NO_TESTS;
  }

  lookupsOf(...roles: readonly ValueRole[]): readonly Lookup[] {
    return mayRead(this.#source, this.#roles.words, roles) ? lookupsOf(this.lookups, ...roles) : NO_LOOKUPS;
  }

  get #source(): string {
    return this.#typed.ast.source;
  }
}
