import type { Range } from '@tollgate/diagnostics';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Marks of direction, joiners and others that nobody sees; a byte-order mark begins the text. */
const HIDDEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\u034f/g;
/** Letters of two scripts that share shapes, in one word. In functions, for V8 reads what a script has as soon as it sees its name. */
const mixed = () => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{2,}/gu;
const scriptPatterns = () => [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
const NAMES = ['Latin', 'Cyrillic', 'Greek'];

/** A Cyrillic letter in a name that otherwise looks Latin. */
export const CONFUSABLE_TEXT: LintRule = {
  id: 'doc/confusable-text',
  severity: 'warning',
  summary: 'characters that are not what they look like',
  rationale:
    'A letter of another script, a character without width or a mark that turns the direction of reading makes a text look like another ' +
    'one. In a condition it compares with what nobody sends; in a review it hides what a rule does.',
  bad: {
    policy: `\
inbound:
  - name: staff only
    expressions: ["req.Host == '«\u0430dmin».example.com'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: staff only
    expressions: ["req.Host == 'admin.example.com'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    file: ({ source: { text } }, context) => {
      // Most policies are ASCII, and one look at them is enough.
      if (!/[\u0080-\uffff]/.test(text)) return;
      reportHidden(text, context);
      reportMixed(text, context);
    },
  },
};

function reportHidden(text: string, context: LintContext): void {
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index === 0 && character === '\ufeff') continue;
    // Emoji are joined by these.
    if (character === '\u200d' && /\p{Extended_Pictographic}\ufe0f?$/u.test(text.slice(Math.max(0, index - 4), index)))
      continue;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const message = `there is a character here that nobody sees, U+${code}; take it out, or write it as an escape`;
    context.report({ range: { start: index, end: index + 1 }, message, args: { character: `U+${code}` } });
  }
}

function reportMixed(text: string, context: LintContext): void {
  const patterns = scriptPatterns();
  for (const { 0: word, index } of text.matchAll(mixed())) {
    const scripts = NAMES.filter((_, at) => patterns[at]!.test(word));
    if (scripts.length < 2) continue;
    const range: Range = { start: index, end: index + word.length };
    const message = `\`${word}\` mixes letters of ${scripts.join(' and ')}, which look alike`;
    context.report({ range, message, args: { word, scripts } });
  }
}
