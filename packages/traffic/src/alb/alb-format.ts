import type { FormatDescription } from '../formats/traffic-format.ts';
import { readLog } from '../read-log.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import { albFacts, isAlbLine } from './alb-line.ts';

/** Access logs of application load balancers of AWS. */
export const ALB = {
  name: 'alb',
  title: 'an access log of an AWS application load balancer',
  isLineByLine: true,
  detect: ({ lines }) => (lines.some(isAlbLine) ? 0.8 : 0),
  read: (bytes, file, { limits }) =>
    readLog({ bytes, file, ...limits }, (text, place) => {
      const facts = albFacts(text);
      return typeof facts === 'string' ? facts : new RecordExchange(place, facts);
    }),
} as const satisfies FormatDescription;
