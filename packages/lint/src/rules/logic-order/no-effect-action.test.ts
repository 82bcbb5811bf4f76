import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { NO_EFFECT_ACTION } from './no-effect-action.ts';

function actions(...lines: readonly string[]): string {
  return `inbound:\n  - actions:\n${lines.map(line => `      - ${line}\n`).join('')}`;
}

const ADD = '{type: add-headers, config: {headers: {X-A: 1, x-b: 2}}}';

testRule(it, NO_EFFECT_ACTION, {
  fires: {
    'and suggests removing it': {
      policy: `inbound:\n  - actions:\n      - «type: add-headers\n        config: { headers: { X-A: b } }»\n      - type: remove-headers\n        config: { headers: [x-a] }\n`,
      suggested: `inbound:\n  - actions:\n      - type: remove-headers\n        config: { headers: [x-a] }\n`,
    },
    'for headers in any case': {
      policy: actions(
        `«${ADD.replaceAll(/(\d)/g, "'$1'")}»`,
        '{type: remove-headers, config: {headers: [X-B, x-a, X-C]}}',
      ),
      message:
        '`remove-headers` later in this rule removes `X-A`, `X-B`; remove this `add-headers`, or correct the names',
    },
    'for a header that is removed twice': actions(
      '«{type: remove-headers, config: {headers: [X-A]}}»',
      '{type: remove-headers, config: {headers: [x-a]}}',
    ),
    'for an empty list of names': {
      policy: actions('«{type: remove-headers, config: {headers: []}}»'),
      message: '`remove-headers` lists no headers and has no effect; remove it, or add headers',
    },
  },
  silent: {
    'for a removal before the addition': actions(
      '{type: remove-headers, config: {headers: [X-A]}}',
      "{type: add-headers, config: {headers: {X-A: '1'}}}",
    ),
    'when one header remains': actions(
      "{type: add-headers, config: {headers: {X-A: '1', X-B: '2'}}}",
      '{type: remove-headers, config: {headers: [X-A]}}',
    ),
    'when an action between them may read the header': actions(
      "{type: add-headers, config: {headers: {X-A: '1'}}}",
      '{type: log, config: {metadata: {a: b}}}',
      '{type: remove-headers, config: {headers: [X-A]}}',
    ),
  },
});
