import type { FormatDescription } from '../../format/traffic-format.ts';
import { explainLine } from '../../record/line-grammar.ts';
import { readRecords } from '../../record/read-records.ts';
import { S3_STEPS, s3Facts } from './s3-line.ts';

/** Server access logs of Amazon S3. */
export const S3 = {
  name: 's3',
  title: 'a server access log of Amazon S3',
  detect: ({ lines }) => (lines.some(line => s3Facts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: S3_STEPS,
  read: (bytes, file, { limits }) =>
    readRecords({ bytes, file, ...limits, explain: text => explainLine(S3_STEPS, text) }, s3Facts),
} as const satisfies FormatDescription;
