import type { FormatDescription } from '../../format/traffic-format.ts';
import { explainLine } from '../../record/line-grammar.ts';
import { readRecords } from '../../record/read-records.ts';
import { ELB_STEPS, elbFacts } from './elb-line.ts';

/** Access logs of AWS classic load balancers. */
export const ELB = {
  name: 'elb',
  title: 'an access log of an AWS classic load balancer',
  detect: ({ lines }) => (lines.some(line => elbFacts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: ELB_STEPS,
  read: (bytes, file, { limits }) =>
    readRecords({ bytes, file, ...limits, explain: text => explainLine(ELB_STEPS, text) }, elbFacts),
} as const satisfies FormatDescription;
