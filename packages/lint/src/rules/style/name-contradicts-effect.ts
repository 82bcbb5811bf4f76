import { ownValue } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a rule named `AllowTLS1.3` that denies. */
export const NAME_CONTRADICTS_EFFECT: LintRule = {
  id: 'style/name-contradicts-effect',
  severity: 'warning',
  summary: 'rule whose name says the opposite of what it does',
  rationale:
    'If a rule is named after what it allows but denies exactly that, either its name is wrong or its condition is inverted. Both ' +
    'mistakes occur in published policies.',
  bad: {
    policy: `\
inbound:
  - name: «AllowPartners»
    expressions: ["conn.ClientIP == '203.0.113.7'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: DenyFormerPartner
    expressions: ["conn.ClientIP == '203.0.113.7'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    rule: (rule, _, context) => {
      const { name } = rule;
      const claim = name && claimOf(name.value);
      const effect = claim && effectOf(rule);
      if (!name || !claim || !effect || claim === effect.kind || isNegated(rule)) return;
      const action = effect.type;
      const behavior = effect.kind === 'refuse' ? 'denies what it matches' : 'lets it pass';
      context.report({
        range: name.range,
        message: `rule \`${name.value}\` ${behavior} with \`${action}\`; invert the condition, or rename the rule`,
        args: { name: name.value, action },
      });
    },
  },
};

/** Only words at the start of a name count; later words may describe whom the rule applies to. */
const ALLOWS = /^(?:allow|permit|accept|whitelist|let)(?:ed|s|ing)?(?![a-z])/i;
const REFUSES = /^(?:deny|denies|block|reject|refuse|forbid|disallow|ban|blacklist)(?:ed|s|ing)?(?![a-z])/i;
/** Splits `AllowPartners` into `Allow Partners`. */
const WORD_BREAK = /(?<=[a-z0-9])(?=[A-Z])/g;
/** Words that invert the meaning: `allow only staff` denies everyone else. */
const INVERTS = /\b(?:only|except|unless|but|others?|non|not|no|without|invalid|unknown|all|everything)\b/i;

function claimOf(name: string): 'allow' | 'refuse' | undefined {
  const words = name.trim().replaceAll(WORD_BREAK, ' ').replaceAll(/[_-]/g, ' ');
  const claim = REFUSES.test(words) ? 'refuse' : ALLOWS.test(words) ? 'allow' : undefined;
  // Tested last because it is the slowest to compile and few names make a claim.
  return claim !== undefined && INVERTS.test(words) ? undefined : claim;
}

interface Effect {
  readonly kind: 'allow' | 'refuse';
  readonly type: string;
}

const EFFECTS: Readonly<Record<string, Effect['kind']>> = {
  deny: 'refuse',
  'close-connection': 'refuse',
  'ai-gateway': 'allow',
  'forward-internal': 'allow',
};

/** Returns the effect of the first action whose effect is known. */
function effectOf({ actions }: Rule): Effect | undefined {
  for (const { type } of actions) {
    const kind = ownValue(EFFECTS, type.value);
    if (kind) return { kind, type: type.value };
  }
  return undefined;
}

/** True if the condition may be negated, as in `!inCidrRanges(…)`: a name that says whom the rule allows is then right. */
function isNegated({ expressions }: Rule): boolean {
  return (
    expressions.length === 0 ||
    expressions.some(({ source }) => /!(?!=)|!=|\bfalse\b|==\s*''|size\(|\bnot/.test(source))
  );
}
