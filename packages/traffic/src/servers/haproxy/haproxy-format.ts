import type { FormatDescription } from '../../format/traffic-format.ts';
import { explainLine } from '../../record/line-grammar.ts';
import { readRecords } from '../../record/read-records.ts';
import { HAPROXY_STEPS, haproxyFacts } from './haproxy-line.ts';

/** Logs of HAProxy in the formats of `option httplog` and `option httpslog`. */
export const HAPROXY = {
  name: 'haproxy',
  title: 'an HTTP log of HAProxy',
  detect: ({ lines }) => (lines.some(line => haproxyFacts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: HAPROXY_STEPS,
  read: (bytes, file, { limits }) =>
    readRecords({ bytes, file, ...limits, explain: text => explainLine(HAPROXY_STEPS, text) }, haproxyFacts),
} as const satisfies FormatDescription;
