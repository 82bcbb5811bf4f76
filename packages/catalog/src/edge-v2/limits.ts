import type { LimitFact } from '../fact.ts';

// The vendor bounds rules by plan and publishes no size of texts; these keep room for what is seen in practice.
export const LIMITS = [
  { name: 'maxDocumentSize', value: 65_536, doc: 'UTF-16 units of a policy document.', source: 'chosen' },
  { name: 'maxExpressionSize', value: 4_096, doc: 'UTF-16 units of one expression.', source: 'chosen' },
  { name: 'maxBucketKeys', value: 10, doc: 'Entries in the `bucket_key` of a rate limit.', source: 'documented' },
] as const satisfies readonly LimitFact[];
