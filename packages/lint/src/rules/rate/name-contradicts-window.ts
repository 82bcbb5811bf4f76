import { durationSeconds } from '@tollgate/policy';
import { entryOfRole, type StringNode, stringNamed } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** `30 per minute` or `per-second`; the number counts requests. */
const CLAIM = /(?:(?<count>\d+)[\s_-]*)?(?<![a-z])(?:per|each|every)[\s_-]*(?<unit>second|minute|hour|day)(?![a-z])/i;

/** Reports `name: five per second` with `rate: 60s`. */
export const NAME_CONTRADICTS_WINDOW: LintRule = {
  id: 'rate/name-contradicts-window',
  severity: 'info',
  summary: 'rate limit whose name contradicts its window',
  rationale:
    'Readers trust the name of a limit in events and during incidents. A limit named `five per second` with a window of one minute ' +
    'allows five requests per minute, a sixtieth of what the name says.',
  bad: {
    policy: `\
inbound:
  - name: limit clients
    actions:
      - type: rate-limit
        config:
          name: «five per second»
          algorithm: sliding_window
          capacity: 5
          rate: 60s
          bucket_key: [conn.ClientIP]
`,
  },
  good: {
    policy: `\
inbound:
  - name: limit clients
    actions:
      - type: rate-limit
        config:
          name: 300 per minute
          algorithm: sliding_window
          capacity: 300
          rate: 60s
          bucket_key: [conn.ClientIP]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      if (!entryOfRole(action, 'bucket-key')) return;
      const name = stringNamed(action, 'name');
      const rate = stringNamed(action, 'rate');
      const window = rate && durationSeconds(rate.value);
      const unit = name && window ? contradiction(name, window, action.config.capacity) : undefined;
      if (!name || !rate || unit === undefined) return;
      context.report({
        range: name.place,
        message: `\`${name.value}\` has a window of ${rate.value}, not of one ${unit}; rename it, or change \`rate\` and \`capacity\``,
        args: { name: name.value, window: rate.value },
        related: [{ range: rate.place, message: 'window is set here' }],
      });
    },
  },
};

/** Returns the unit in the name if the window differs from it and does not amount to the same request rate. */
function contradiction({ value }: StringNode, window: number, capacity: unknown): string | undefined {
  const { unit, count } = CLAIM.exec(value)?.groups ?? {};
  const named = SECONDS[unit?.toLowerCase() ?? ''];
  if (!unit || named === undefined || named === window) return undefined;
  const isScaled = count !== undefined && typeof capacity === 'number' && Number(count) * window === capacity * named;
  return isScaled ? undefined : unit.toLowerCase();
}
