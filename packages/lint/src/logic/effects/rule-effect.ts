import { terminationOf, type VariableFact } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { memoize } from '../../primitives/memoize.ts';

/** What a matching rule does to the evaluation. */
export interface RuleEffect {
  /** True if it certainly ends the evaluation. */
  readonly ends: boolean;
  /** The action that certainly ends it. */
  readonly end: Action | undefined;
  /** Equal for rules that end it with the same action; undefined if they do not end it. */
  readonly endText: () => string | undefined;
  /** Paths that later expressions may find changed; undefined if any may be. Empty if the rule ends the evaluation. */
  readonly changes: readonly string[] | undefined;
  /** Equal for rules with the same actions. */
  readonly text: () => string;
}

export function effectOf({ actions }: Rule, variables: readonly VariableFact[]): RuleEffect {
  const at = actions.findIndex(action => terminationOf(action) === 'always');
  return {
    ends: at >= 0,
    end: actions[at],
    endText: memoize(() => (at < 0 ? undefined : actionText(actions[at]!))),
    changes: at >= 0 ? [] : changesOf(actions, variables),
    text: memoize(() => actions.map(actionText).join()),
  };
}

function changesOf(actions: readonly Action[], variables: readonly VariableFact[]): readonly string[] | undefined {
  const changes = actions.map(({ fact, type }) => {
    const set = variables.filter(variable => variable.setBy === type.value).map(variable => variable.path);
    return fact?.changes && (set.length === 0 ? fact.changes : [...fact.changes, ...set]);
  });
  if (changes.length === 1) return changes[0];
  return changes.includes(undefined) ? undefined : changes.flatMap(paths => paths ?? []);
}

/** Returns a string that is equal for actions with the same type and configuration, whatever the order of keys. */
function actionText({ type, config }: Action): string {
  return `${type.value}${JSON.stringify(config, sortKeys)}`;
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
