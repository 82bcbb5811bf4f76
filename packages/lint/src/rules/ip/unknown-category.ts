import { nearest } from '@tollgate/cel/tooling';
import { literalString, variablePath } from '../../readers/source-nodes.ts';
import { literalFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';
import { CATEGORY_LEVELS } from './category-levels.ts';

/** Reports `'tor' in conn.client_ip.categories`. */
export const UNKNOWN_CATEGORY: LintRule = {
  id: 'ip/unknown-category',
  severity: 'warning',
  summary: 'unknown IP address category',
  rationale:
    'The vendor publishes the ids of all address categories, such as `com.github.hooks` and `proxy.anonymous.tor`; each prefix that ends ' +
    'before a dot is a category too. Ids are compared exactly, so a test for any other id is always false and the rule never applies.',
  bad: {
    policy: `\
on_http_request:
  - name: block Tor
    expressions: ["«'tor'» in conn.client_ip.categories"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: block Tor
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
        const text = literalString(node);
        if (!node || path === undefined || text === undefined) return;
        if (context.file.roles.variables.get(path)?.role !== 'address-categories' || CATEGORY_LEVELS.has(text)) return;
        const suggestion = suggestionFor(text);
        const hint = suggestion === undefined ? 'use one of the published ids' : `did you mean \`${suggestion}\`?`;
        context.report({
          range: rangeInDocument(at, node.range),
          message: `unknown IP category \`${text}\`: no address is in it; ${hint}`,
          args: { found: text, ...(suggestion !== undefined && { suggestion }) },
          fixes:
            suggestion === undefined ? [] : [literalFix(at, node, { value: suggestion, applicability: 'suggestion' })],
        });
      },
    },
  },
};

/**
 * Returns a category with nearly the same spelling; else one with the same words in another order (`blocklist.co.greensnow` is now
 * `blocklist.greensnow_co`); else the first that ends in one of its words, or contains one.
 */
function suggestionFor(id: string): string | undefined {
  const words = id.toLowerCase().split('.').toReversed();
  const near = nearest(id, CATEGORY_LEVELS);
  // A different last word is not a misspelling.
  if (near !== undefined && nearest(words[0]!, [near.slice(near.lastIndexOf('.') + 1)]) !== undefined) return near;
  const levels = [...CATEGORY_LEVELS];
  const key = sortedParts(id);
  return (
    levels.find(level => sortedParts(level) === key) ??
    first(words.filter(isSpecific), word => levels.find(level => level.endsWith(`.${word}`))) ??
    first(partsOf(id).toReversed().filter(isSpecific), part => levels.find(level => partsOf(level).includes(part))) ??
    near
  );
}

function partsOf(id: string): readonly string[] {
  return id.toLowerCase().split(/[._]/);
}

function sortedParts(id: string): string {
  return partsOf(id).toSorted().join();
}

/** False for words that many categories have in common. */
function isSpecific(word: string): boolean {
  return !/^(?:com|org|net|io|ai|us|co|ipv[46]|proxy|blocklist)$/.test(word);
}

function first(words: readonly string[], find: (word: string) => string | undefined): string | undefined {
  for (const word of words) {
    const result = find(word);
    if (result !== undefined) return result;
  }
  return undefined;
}
