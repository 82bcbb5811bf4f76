import { type Read, readsOf, type TypedAst } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import type { ConstantEffect, Written } from '../effects/constant-effect.ts';

/** The parts of a rule that are known before it runs. */
interface RuleNature {
  readonly expressions: readonly TypedAst[];
  /** The constant effect of each action; undefined if it depends on the traffic. */
  readonly constantEffects: readonly (ConstantEffect | undefined)[];
}

/**
 * Returns for each rule whether it ends the evaluation whenever it matches; undefined if that depends on more than its condition, or if later
 * conditions may read what it changes. The rules are in the order of all phases.
 */
export function constantRules(rules: readonly RuleNature[]): readonly ({ readonly ends: boolean } | undefined)[] {
  const found: ({ readonly ends: boolean } | undefined)[] = [];
  let laterReads: readonly Read[] = [];
  for (const { expressions, constantEffects } of rules.toReversed()) {
    found.push(natureOf(constantEffects, laterReads));
    laterReads = [...laterReads, ...expressions.flatMap(readsOf)];
  }
  return found.toReversed();
}

function natureOf(
  actions: RuleNature['constantEffects'],
  laterReads: readonly Read[],
): { readonly ends: boolean } | undefined {
  for (const action of actions) {
    if (action === undefined) return undefined;
    if (action.ends) return { ends: true };
    if (action.writes.some(written => laterReads.some(read => isChanged(read, written)))) return undefined;
  }
  return { ends: false };
}

function isChanged(read: Read, { path, key }: Written): boolean {
  const readPath = `${fieldPathOf(read)}.`;
  if (!(readPath.startsWith(`${path}.`) || `${path}.`.startsWith(readPath))) return false;
  const step = read.steps[path.split('.').length - 1];
  return key === undefined || step?.kind !== 'key' || step.key.value === key;
}
