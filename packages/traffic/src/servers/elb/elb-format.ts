import type { FormatDescription } from '../../format/traffic-format.ts';
import { explainLine } from '../../record/line-grammar.ts';
import { absenceOf, DASH } from '../../record/logged-headers.ts';
import { readRecords } from '../../record/read-records.ts';
import { ELB_STEPS, elbFacts } from './elb-line.ts';

/** Access logs of AWS classic load balancers. */
export const ELB = {
  name: 'elb',
  title: 'an access log of an AWS classic load balancer',
  detect: ({ lines }) => (lines.some(line => elbFacts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: ELB_STEPS,
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    const source = { bytes, file, ...limits, explain: (text: string) => explainLine(ELB_STEPS, text) };
    return readRecords(source, text => elbFacts(text, absence));
  },
} as const satisfies FormatDescription;
