import { nearest } from '@tollgate/cel';
import { CATEGORY_LEVELS } from '../../data/category-levels.ts';
import { literalText, variablePath } from '../../facts/variable-path.ts';
import type { LintRule } from '../../rule/lint-rule.ts';
import { placeOf } from '../../rule/linted-expression.ts';
import { literalFix } from '../../rule/literal-fix.ts';

/** `'tor' in conn.client_ip.categories`. */
export const UNKNOWN_CATEGORY: LintRule = {
  id: 'ip/unknown-category',
  severity: 'warning',
  summary: 'a category of addresses that no address is in',
  rationale:
    'Addresses are sorted into categories whose ids the vendor publishes: `com.github.hooks`, `proxy.anonymous.tor`, and the levels above ' +
    'them. Ids are compared as they are, so that one which is not among them is never found, and the rule lets pass what it names.',
  bad: {
    policy: `\
on_http_request:
  - name: no anonymity
    expressions: ["«'tor'» in conn.client_ip.categories"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: no anonymity
    expressions: ["'proxy.anonymous.tor' in conn.client_ip.categories"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    calls: {
      '@in': (call, at, context) => {
        const [node, list] = call.args;
        const path = list && variablePath(at.typed, list);
        const text = literalText(node);
        if (!node || path === undefined || text === undefined) return;
        if (context.file.roles.variables.get(path)?.role !== 'address-categories' || isKnown(text)) return;
        const meant = suggestionFor(text);
        const hint = meant === undefined ? 'take one of the published ids' : `did you mean \`${meant}\`?`;
        context.report({
          range: placeOf(at, node.range),
          message: `no address is in the category \`${text}\`, as far as they are published; ${hint}`,
          args: { found: text, ...(meant !== undefined && { suggestion: meant }) },
          fixes: meant === undefined ? [] : [literalFix(at, node, { value: meant, applicability: 'suggestion' })],
        });
      },
    },
  },
};

function isKnown(id: string): boolean {
  return CATEGORY_LEVELS.has(id) || CATEGORY_LEVELS.has(id.replace(/[^.]+$/, '*'));
}

/** One that is spelt nearly so; else the shortest that ends in one of its words, the last of them first. */
function suggestionFor(id: string): string | undefined {
  const words = id.toLowerCase().split('.').toReversed();
  const specific = words.filter(word => !/^(?:com|org|net|io|ai|us|co|ipv[46]|proxy|blocklist)$/.test(word));
  const ending = specific.flatMap(word => [...CATEGORY_LEVELS].filter(level => level.endsWith(`.${word}`)).slice(0, 1));
  const near = nearest(id, CATEGORY_LEVELS);
  // Another word in the same place is no misspelling.
  const isSpelling = near !== undefined && nearest(words[0]!, [near.slice(near.lastIndexOf('.') + 1)]) !== undefined;
  return isSpelling ? near : (ending[0] ?? near);
}
