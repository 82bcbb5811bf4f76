import type { FormatDescription } from '../../format/traffic-format.ts';
import { absenceOf, DASH } from '../../record/logged-headers.ts';
import { readRecords } from '../../record/read-records.ts';
import { albFacts, isAlbLine } from './alb-line.ts';

/** Access logs of AWS application load balancers. */
export const ALB = {
  name: 'alb',
  title: 'an access log of an AWS application load balancer',
  detect: ({ lines }) => (lines.some(isAlbLine) ? 0.8 : 0),
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    return readRecords({ bytes, file, ...limits }, text => albFacts(text, absence));
  },
} as const satisfies FormatDescription;
