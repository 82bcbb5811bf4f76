import { removeItems } from '@tollgate/policy';
import { configNodeAt, stringsIn } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const IS_HMAC = /^HS\d/i;

/** Reports `allowed_algorithms: [RS256, HS256]`. */
export const JWT_ALGORITHM_CONFUSION: LintRule = {
  id: 'sec/jwt-algorithm-confusion',
  severity: 'warning',
  summary: 'HMAC allowed next to public-key algorithms or a key set',
  rationale:
    'HMAC (`HS256`) signs and verifies with one shared secret; RSA and ECDSA (`RS256`, `ES256`) use a private and a public key. If a ' +
    'verifier accepts both, an attacker can take the public key, use it as the HMAC secret and sign their own tokens (RFC 8725, ' +
    'section 2.1). A key set is public too, so do not allow HMAC next to one.',
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
          jws: { allowed_algorithms: [RS256, «HS256»] }
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
          jws: { allowed_algorithms: [RS256, ES256] }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      const list = configNodeAt(action, 'jws', 'allowed_algorithms');
      const algorithms = stringsIn(list);
      const shared = algorithms.filter(({ value }) => IS_HMAC.test(value));
      const other = algorithms.find(({ value }) => !IS_HMAC.test(value));
      const keySet = stringsIn(configNodeAt(action, 'jws', 'keys', 'sources', 'additional_jkus'))[0];
      const partner = other ? `\`${other.value}\`` : keySet && 'a public key set';
      if (partner === undefined || list?.kind !== 'list') return;
      for (const { value, node, place } of shared) {
        const edits = other ? removeItems(context.file.source.text, list, [node]).filter(edit => !!edit) : [];
        context.report({
          range: place,
          message: `\`${value}\` next to ${partner} lets anyone with the public key sign tokens; ${other ? `remove \`${value}\`` : 'allow an asymmetric algorithm such as `RS256` instead'}`,
          args: { found: value, ...(other && { other: other.value }) },
          fixes: edits.length > 0 ? [{ title: `remove \`${value}\``, applicability: 'suggestion', edits }] : [],
        });
      }
    },
  },
};
