import { readsOf, type TypedAst } from '@tollgate/cel';
import { conjunctsOf, hasLoop } from '@tollgate/cel/tooling';

/** The conjuncts of rules that read the same inputs. */
interface InputConjuncts {
  /** By the position of the rule. */
  readonly conjuncts: ReadonlyMap<number, readonly TypedAst[]>;
}

/**
 * Groups the conjuncts of all conditions by the inputs that they read. A rule matches if its conjuncts in all groups are true, does not match if
 * one of them is false, and is unknown otherwise.
 */
export function conjunctsByInput(rules: readonly (readonly TypedAst[])[]): readonly InputConjuncts[] {
  const found = new Map<string, Map<number, TypedAst[]>>();
  for (const [rule, expressions] of rules.entries()) {
    for (const { reads, typed } of partsOf(expressions)) {
      const ofRules = found.get(reads) ?? new Map<number, TypedAst[]>();
      found.set(reads, ofRules);
      const ofRule = ofRules.get(rule);
      if (ofRule === undefined) ofRules.set(rule, [...typed]);
      else ofRule.push(...typed);
    }
  }
  return [...found.values()].map(conjuncts => ({ conjuncts }));
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
