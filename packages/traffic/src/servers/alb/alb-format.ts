import type { FormatDescription } from '../../format/traffic-format.ts';
import { readRecords } from '../../record/read-records.ts';
import { albFacts, isAlbLine } from './alb-line.ts';

/** Access logs of AWS application load balancers. */
export const ALB = {
  name: 'alb',
  title: 'an access log of an AWS application load balancer',
  detect: ({ lines }) => (lines.some(isAlbLine) ? 0.8 : 0),
  read: (bytes, file, { limits }) => readRecords({ bytes, file, ...limits }, albFacts),
} as const satisfies FormatDescription;
