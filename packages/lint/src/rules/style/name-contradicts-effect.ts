import { ownValue } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A rule named `AllowTLS1.3` that denies. */
export const NAME_CONTRADICTS_EFFECT: LintRule = {
  id: 'style/name-contradicts-effect',
  severity: 'warning',
  summary: 'a rule whose name says the opposite of what it does',
  rationale:
    'A rule that is called after what it allows, and refuses exactly that, is either named wrong or has its condition the wrong way round. Both ' +
    'have been published.',
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
  - name: RefuseOldPartner
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
      const does = effect.kind === 'refuse' ? 'refuses what matches' : 'refuses nothing';
      context.report({
        range: name.range,
        message: `\`${name.value}\` is the name of a rule that ${does} by \`${action}\`; turn the condition round, or name it after what it does`,
        args: { name: name.value, action },
      });
    },
  },
};

/** Words at the beginning of names: others may speak of what is allowed to whom. */
const ALLOWS = /^(?:allow|permit|accept|whitelist|let)(?:ed|s|ing)?(?![a-z])/i;
const REFUSES = /^(?:deny|denies|block|reject|refuse|forbid|disallow|ban|blacklist)(?:ed|s|ing)?(?![a-z])/i;
/** `AllowPartners` as `Allow Partners`. */
const WORD_BREAK = /(?<=[a-z0-9])(?=[A-Z])/g;
/** `only` turns it round: whoever is not allowed is refused. */
const TURNS_ROUND = /\b(?:only|except|unless|but|others?|non|not|no|without|invalid|unknown|all|everything)\b/i;

function claimOf(name: string): 'allow' | 'refuse' | undefined {
  const words = name.trim().replaceAll(WORD_BREAK, ' ').replaceAll(/[_-]/g, ' ');
  const claim = REFUSES.test(words) ? 'refuse' : ALLOWS.test(words) ? 'allow' : undefined;
  // Last, for it takes longest to compile, and few names make a claim.
  return claim !== undefined && TURNS_ROUND.test(words) ? undefined : claim;
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

/** Of the first action that says it; of others it is not known what they are for. */
function effectOf({ actions }: Rule): Effect | undefined {
  for (const { type } of actions) {
    const kind = ownValue(EFFECTS, type.value);
    if (kind) return { kind, type: type.value };
  }
  return undefined;
}

/** `!inCidrRanges(…)` refuses all but those: a name that says whom it allows is right. */
function isNegated({ expressions }: Rule): boolean {
  return (
    expressions.length === 0 ||
    expressions.some(({ source }) => /!(?!=)|!=|\bfalse\b|==\s*''|size\(|\bnot/.test(source))
  );
}
