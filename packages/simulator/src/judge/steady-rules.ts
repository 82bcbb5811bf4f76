import { type Read, readsOf, type TypedAst } from '@tollgate/cel';
import { fieldPathOf } from '@tollgate/cel/tooling';
import type { SteadyAction, Written } from '../effects/steady-action.ts';

/** What there is to know of a rule before it runs. */
interface RuleNature {
  readonly expressions: readonly TypedAst[];
  /** For each action; undefined for those of which what is counted hangs on the traffic. */
  readonly steady: readonly (SteadyAction | undefined)[];
}

/**
 * For each rule whether it ends the evaluation whenever it matches, or goes on; undefined where that hangs on more than its condition, or where
 * later conditions may find changed what it leaves. Given in the order of all phases.
 */
export function steadyRules(rules: readonly RuleNature[]): readonly ({ readonly ends: boolean } | undefined)[] {
  const found: ({ readonly ends: boolean } | undefined)[] = [];
  let laterReads: readonly Read[] = [];
  for (const { expressions, steady } of rules.toReversed()) {
    found.push(natureOf(steady, laterReads));
    laterReads = [...laterReads, ...expressions.flatMap(readsOf)];
  }
  return found.toReversed();
}

function natureOf(actions: RuleNature['steady'], laterReads: readonly Read[]): { readonly ends: boolean } | undefined {
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
