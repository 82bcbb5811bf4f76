import { readsOf, type TypedAst } from '@tollgate/cel';
import { conjunctsOf, hasLoop } from '@tollgate/cel/tooling';

/** What rules ask of one part of the traffic. */
interface RuleShares {
  /** By the position of the rule: what of its condition reads that part, all of which has to hold. */
  readonly shares: ReadonlyMap<number, readonly TypedAst[]>;
}

/**
 * Takes the conditions of rules apart by what they read. Whether a rule matches is told by its shares alone: where all hold it does, where one is
 * false it does not, and what leaves the others open leaves it open.
 */
export function ruleShares(rules: readonly (readonly TypedAst[])[]): readonly RuleShares[] {
  const found = new Map<string, Map<number, TypedAst[]>>();
  for (const [rule, expressions] of rules.entries()) {
    for (const { reads, typed } of partsOf(expressions)) {
      const shares = found.get(reads) ?? new Map<number, TypedAst[]>();
      found.set(reads, shares);
      const share = shares.get(rule);
      if (share === undefined) shares.set(rule, [...typed]);
      else share.push(...typed);
    }
  }
  return [...found.values()].map(shares => ({ shares }));
}

interface Part {
  readonly reads: string;
  readonly typed: readonly TypedAst[];
}

function partsOf(expressions: readonly TypedAst[]): readonly Part[] {
  const conjuncts = expressions.flatMap(conjunctsOf);
  // The steps of a rule are counted together.
  if (conjuncts.filter(hasLoop).length > 1) return [{ reads: readsKey(conjuncts), typed: conjuncts }];
  return conjuncts.map(typed => ({ reads: readsKey([typed]), typed: [typed] }));
}

function readsKey(all: readonly TypedAst[]): string {
  return [...new Set(all.flatMap(typed => readsOf(typed).map(({ text }) => text)))].sort().join('\n');
}
