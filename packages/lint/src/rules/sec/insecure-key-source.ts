import { type Action, entryOf, replaceScalar } from '@tollgate/policy';
import { configNodeAt, type StringNode, stringNamed, stringOf, stringsIn } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `additional_jkus: ["http://id.example.com/keys"]`. */
export const INSECURE_KEY_SOURCE: LintRule = {
  id: 'sec/insecure-key-source',
  severity: 'warning',
  summary: 'token verification keys fetched over plain HTTP',
  rationale:
    'Tokens are trusted because of the keys that verify them. Anyone on the network path can replace keys fetched over `http` and then ' +
    'sign tokens that the policy accepts. Always use `https` for issuers and key sets.',
  bad: {
    policy: `\
inbound:
  - name: require a token
    actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: Authorization, prefix: "Bearer " }] }
          jws:
            allowed_algorithms: [RS256]
            keys: { sources: { additional_jkus: ["«http://id.example.com/keys.json»"] } }
`,
  },
  good: {
    policy: `\
inbound:
  - name: require a token
    actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: Authorization, prefix: "Bearer " }] }
          jws:
            allowed_algorithms: [RS256]
            keys: { sources: { additional_jkus: ["https://id.example.com/keys.json"] } }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      for (const { value, node, place } of sourcesOf(action)) {
        if (!/^http:/i.test(value)) continue;
        const secure = value.replace(/^http:/i, 'https:');
        const edits = node.text ? replaceScalar(context.file.source.text, node.text, secure) : [];
        context.report({
          range: place,
          message: `keys fetched from \`${value}\` can be replaced in transit; use \`https\``,
          args: { found: value },
          fixes: [{ title: 'use `https`', applicability: 'suggestion', edits }],
        });
      }
    },
  },
};

/** Returns the URLs that lead to keys: key sets, and issuers, whose metadata names a key set. */
function sourcesOf(action: Action): readonly StringNode[] {
  const issuers = configNodeAt(action, 'issuer', 'allow_list');
  const items = issuers?.kind === 'list' ? issuers.items : [];
  const values = items.flatMap(item => {
    const value = item.kind === 'map' ? entryOf(item, 'value')?.value : undefined;
    return (value && stringOf(value)) ?? [];
  });
  const sets = stringsIn(configNodeAt(action, 'jws', 'keys', 'sources', 'additional_jkus'));
  return [...values, ...sets, ...[stringNamed(action, 'issuer_url') ?? []].flat()];
}
