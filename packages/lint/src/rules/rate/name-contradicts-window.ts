import { durationSeconds } from '@tollgate/policy';
import { entryOfRole, textNamed, type WrittenText } from '../../actions/action-parts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** `30 per minute`, `per-second`: the number is that of requests. */
const CLAIM = /(?:(?<count>\d+)[\s_-]*)?(?<![a-z])(?:per|each|every)[\s_-]*(?<unit>second|minute|hour|day)(?![a-z])/i;

/** `name: five per second` with `rate: 60s`. */
export const NAME_CONTRADICTS_WINDOW: LintRule = {
  id: 'rate/name-contradicts-window',
  severity: 'info',
  summary: 'a limit whose name tells another window than it has',
  rationale:
    'Whoever reads the name of a limit, in events or during an incident, goes by it. `five per second` with a window of a minute lets five ' +
    'requests a minute pass, which is a sixtieth of what was meant.',
  bad: {
    policy: `\
inbound:
  - name: not too fast
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
  - name: not too fast
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
      const name = textNamed(action, 'name');
      const rate = textNamed(action, 'rate');
      const window = rate && durationSeconds(rate.value);
      const unit = name && window ? contradiction(name, window, action.config.capacity) : undefined;
      if (!name || !rate || unit === undefined) return;
      context.report({
        range: name.place,
        message: `\`${name.value}\` counts in a window of ${rate.value}, not of one ${unit}; name it after its window, or change \`rate\` and \`capacity\``,
        args: { name: name.value, window: rate.value },
        related: [{ range: rate.place, message: 'its window' }],
      });
    },
  },
};

/** The unit that the name tells, when the window is another one and does not come to the same number of requests. */
function contradiction({ value }: WrittenText, window: number, capacity: unknown): string | undefined {
  const { unit, count } = CLAIM.exec(value)?.groups ?? {};
  const told = SECONDS[unit?.toLowerCase() ?? ''];
  if (!unit || told === undefined || told === window) return undefined;
  const isScaled = count !== undefined && typeof capacity === 'number' && Number(count) * window === capacity * told;
  return isScaled ? undefined : unit.toLowerCase();
}
