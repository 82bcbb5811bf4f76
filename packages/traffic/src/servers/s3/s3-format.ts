import type { FormatDescription } from '../../format/traffic-format.ts';
import { explainLine } from '../../record/line-grammar.ts';
import { absenceOf, DASH } from '../../record/logged-headers.ts';
import { readRecords } from '../../record/read-records.ts';
import { S3_STEPS, s3Facts } from './s3-line.ts';

/** Server access logs of Amazon S3. */
export const S3 = {
  name: 's3',
  title: 'a server access log of Amazon S3',
  detect: ({ lines }) => (lines.some(line => s3Facts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: S3_STEPS,
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    const source = { bytes, file, ...limits, explain: (text: string) => explainLine(S3_STEPS, text) };
    return readRecords(source, text => s3Facts(text, absence));
  },
} as const satisfies FormatDescription;
