import type { Fix } from '@tollgate/diagnostics';
import { type Action, canonicalHeaderName, entryOf, removeItems } from '@tollgate/policy';
import { actionNode, ruleNode } from '../../../actions/action-node.ts';
import type { ActionPlace } from '../../../rule-api/config-text.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `add-headers`, then `remove-headers` of the same name. */
export const NO_EFFECT_ACTION: LintRule = {
  id: 'logic/no-effect-action',
  severity: 'info',
  summary: 'an action that a later one of the same rule undoes, or that has nothing to do',
  rationale:
    'A header that is added and then removed was never there, and one that is removed twice was gone before. Such an action is left over from ' +
    'a change, or its name is misspelt.',
  bad: {
    policy: `\
outbound:
  - name: hide the server
    actions:
      - «type: add-headers
        config: { headers: { X-Served-By: edge } }»
      - type: remove-headers
        config: { headers: [x-served-by] }
`,
  },
  good: {
    policy: `\
outbound:
  - name: hide the server
    actions:
      - type: remove-headers
        config: { headers: [x-served-by] }
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    rule: (rule, policy, context) => {
      const { actions } = rule;
      actions.forEach((action, index) => {
        const names = headersOf(action);
        if (names === undefined) return;
        const undoing = names.length === 0 ? undefined : removalAfter(actions.slice(index + 1), names);
        if (names.length > 0 && undoing === undefined) return;
        const what = action.type.value;
        context.report({
          range: action.range,
          message: undoing
            ? `a later \`remove-headers\` of this rule removes ${listed(names)} again; remove this \`${what}\`, or correct the names`
            : `this \`${what}\` names no header, so it does nothing; remove it, or name some`,
          related: undoing ? [{ range: undoing.range, message: 'removes them' }] : [],
          fixes: removal(action, { rule, policy, index }, context.file.source.text),
          tags: ['unnecessary'],
        });
      });
    },
  },
};

/** The names that an action adds or removes, in canonical form; undefined for others, and where it cannot be read. */
function headersOf({ type, fact, config }: Action): readonly string[] | undefined {
  const { headers } = config;
  if (fact === undefined || typeof headers !== 'object' || headers === null) return undefined;
  if (type.value === 'remove-headers' && Array.isArray(headers))
    return headers.map(name => canonicalHeaderName(String(name)));
  return type.value === 'add-headers' ? Object.keys(headers).map(canonicalHeaderName) : undefined;
}

/** The action that removes all of these, if nothing before it could have seen them. */
function removalAfter(actions: readonly Action[], names: readonly string[]): Action | undefined {
  for (const action of actions) {
    const found = headersOf(action);
    if (found === undefined) return undefined;
    if (action.type.value === 'remove-headers' && names.every(name => found.includes(name))) return action;
    // Its values may be filled in with those of other headers.
    if (action.type.value === 'add-headers') return undefined;
  }
  return undefined;
}

function listed(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

/** A rule needs an action. */
function removal(action: Action, place: ActionPlace, document: string): readonly Fix[] {
  const map = actionNode(action, place);
  const list = entryOf(ruleNode(place.rule, place.policy)!, 'actions')?.value;
  if (!map || list?.kind !== 'list' || list.items.length < 2) return [];
  const [edit] = removeItems(document, list, [map]);
  return edit ? [{ title: `remove the \`${action.type.value}\``, applicability: 'unsafe', edits: [edit] }] : [];
}
