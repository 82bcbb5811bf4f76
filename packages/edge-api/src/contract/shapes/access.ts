import type { Shape } from '../../definition/field.ts';
import {
  BOOLEAN,
  described,
  field,
  list,
  oneOf,
  PLAIN,
  record,
  referenceTo,
  shape,
  TIMESTAMP,
  text,
} from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';

const IP_TEXTS = { description: 1421, metadata: 1421 };
const CA_TEXTS = { description: 1914, metadata: 1915 };
const KEY_TEXTS = { description: 604, metadata: 605 };

/** Access control: IP policies, certificate authorities and API keys. */
export const ACCESS = {
  IPPolicy: {
    doc: 'A set of rules for source addresses.',
    source: 'B 1.3',
    fields: { ...record('IP policy', 'B 1.3'), ...described('B 1.3', IP_TEXTS) },
    refused: { action: 1423 },
  },
  IPPolicyRule: {
    doc: 'A rule of an IP policy.',
    source: 'B 1.3',
    fields: {
      ...record('IP policy rule', 'B 1.3'),
      ...described('B 1.3', IP_TEXTS),
      cidr: field(
        text({
          formats: [
            { format: 'not-empty', code: 1405 },
            { format: 'cidr-mask', code: 1413 },
            { format: 'cidr', code: 1406 },
            { format: 'cidr-lowest-address', code: 1409 },
          ],
        }),
        { required: 1405 },
        'B 1.3, 1.5',
        'Address range of the rule in CIDR notation, without host bits.',
      ),
      ip_policy_id: field(
        referenceTo(['ip_policy'], 1414, 1402),
        { use: 'request', required: 1405, immutable: true },
        'B 1.3',
        'Identifier of the IP policy that the rule belongs to.',
      ),
      ip_policy: field(
        shape('Ref'),
        { use: 'answer', from: 'ip_policy_id' },
        'B 1.3',
        'The IP policy that the rule belongs to.',
      ),
      action: field(
        oneOf(['allow', 'deny'], 1422),
        { default: 'allow', immutable: true },
        'B 1.3, 1.5',
        'What happens to traffic from these addresses.',
      ),
    },
  },
  IPRestriction: {
    doc: 'IP policies that restrict access to the whole account.',
    source: 'B 1.3',
    fields: {
      ...record('IP restriction', 'B 1.3'),
      ...described('B 1.3', IP_TEXTS),
      enforced: field(BOOLEAN, { default: false }, 'B 1.3, 1.5', 'Whether the restriction is enforced or only stored.'),
      type: field(
        oneOf(['dashboard', 'api', 'agent', 'endpoints'], 215),
        { required: 1405, immutable: true },
        'B 1.3, 1.5',
        'What is restricted.',
      ),
      ip_policy_ids: field(
        list(referenceTo(['ip_policy'], 229, 1402), {
          min: { limit: 1, code: 7025 },
          max: { limit: LIMITS.ipPolicies, code: 7013 },
        }),
        { use: 'request', required: 7025, emptyIsAbsent: true },
        'B 1.3',
        'Identifiers of the IP policies.',
      ),
      ip_policies: field(list(shape('Ref')), { use: 'answer', from: 'ip_policy_ids' }, 'B 1.3', 'The IP policies.'),
    },
  },
  CertificateAuthority: {
    doc: 'A certificate authority that verifies client certificates.',
    source: 'B 1.3',
    fields: {
      ...record('certificate authority', 'B 1.3'),
      ...described('B 1.3', CA_TEXTS),
      ca_pem: field(
        text({
          maxBytes: { limit: LIMITS.certificateBytes, code: 1921 },
          formats: [
            { format: 'not-empty', code: 1919 },
            { format: 'pem', code: 1910 },
            { format: 'pem-certificate', code: 1911 },
            { format: 'pem-single', code: 1912 },
            { format: 'x509', code: 1920 },
            { format: 'x509-authority', code: 1913 },
          ],
        }),
        { required: 1919, immutable: true },
        'B 1.3',
        'The certificate in PEM.',
      ),
      subject_common_name: field(PLAIN, { use: 'answer' }, 'B 1.3', 'Common name of the subject.'),
      not_before: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'Start of the validity period.'),
      not_after: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'End of the validity period.'),
      key_usages: field(list(PLAIN), { use: 'answer' }, 'B 1.3', 'Key usages.'),
      extended_key_usages: field(list(PLAIN), { use: 'answer' }, 'B 1.3', 'Extended key usages.'),
    },
  },
  APIKey: {
    doc: 'A key for this API.',
    source: 'B 1.3',
    fields: {
      ...record('API key', 'B 1.3'),
      ...described('B 1.3', KEY_TEXTS),
      owner_id: field(
        text({ reference: { kinds: ['user', 'bot'], malformed: 243, missing: 630 } }),
        { nullable: true, immutable: true },
        'B 1.3',
        'Identifier of the user or bot that the key belongs to.',
      ),
      token: field(
        PLAIN,
        { use: 'answer', nullable: true, secret: 'once' },
        'B 1.3, 1.6',
        'The key itself: returned at creation, null afterwards.',
      ),
    },
  },
} as const satisfies Record<string, Shape>;
