import type { Fix } from '@tollgate/diagnostics';
import { type Action, canonicalHeaderName, entryOf, removeItems } from '@tollgate/policy';
import { actionNode, ruleNode } from '../../readers/actions.ts';
import type { ActionLocation } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `add-headers` followed by `remove-headers` of the same name. */
export const NO_EFFECT_ACTION: LintRule = {
  id: 'logic/no-effect-action',
  severity: 'info',
  summary: 'action without effect',
  rationale:
    'A header that is added and then removed is never sent, and removing one twice changes nothing. Such an action is left over from a ' +
    'change, or a name in it is misspelled.',
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
        const remover = names.length === 0 ? undefined : removalAfter(actions.slice(index + 1), names);
        if (names.length > 0 && remover === undefined) return;
        const type = action.type.value;
        context.report({
          range: action.range,
          message: remover
            ? `\`remove-headers\` later in this rule removes ${listed(names)}; remove this \`${type}\`, or correct the names`
            : `\`${type}\` lists no headers and has no effect; remove it, or add headers`,
          related: remover ? [{ range: remover.range, message: 'removed here' }] : [],
          fixes: removal(action, { rule, policy, index }, context.file.source.text),
          tags: ['unnecessary'],
        });
      });
    },
  },
};

/** Returns the names that an action adds or removes, in canonical form; undefined for other actions and invalid configurations. */
function headersOf({ type, fact, config }: Action): readonly string[] | undefined {
  const { headers } = config;
  if (fact === undefined || typeof headers !== 'object' || headers === null) return undefined;
  if (type.value === 'remove-headers' && Array.isArray(headers))
    return headers.map(name => canonicalHeaderName(String(name)));
  return type.value === 'add-headers' ? Object.keys(headers).map(canonicalHeaderName) : undefined;
}

/** Returns the action that removes all of these, if no action before it could have seen them. */
function removalAfter(actions: readonly Action[], names: readonly string[]): Action | undefined {
  for (const action of actions) {
    const others = headersOf(action);
    if (others === undefined) return undefined;
    if (action.type.value === 'remove-headers' && names.every(name => others.includes(name))) return action;
    // Its values may interpolate other headers.
    if (action.type.value === 'add-headers') return undefined;
  }
  return undefined;
}

function listed(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

/** Offers no fix for the only action, because a rule needs one. */
function removal(action: Action, place: ActionLocation, document: string): readonly Fix[] {
  const map = actionNode(action, place);
  const list = entryOf(ruleNode(place.rule, place.policy)!, 'actions')?.value;
  if (!map || list?.kind !== 'list' || list.items.length < 2) return [];
  const [edit] = removeItems(document, list, [map]);
  return edit ? [{ title: `remove \`${action.type.value}\``, applicability: 'unsafe', edits: [edit] }] : [];
}
