import { sureOfDialect } from '../../format/format-head.ts';
import type { FormatDescription } from '../../format/traffic-format.ts';
import { isRecord } from '../../input/json.ts';
import { readLog } from '../../input/read-log.ts';
import { eachObject } from '../../json-lines/read-json-lines.ts';
import { RecordExchange } from '../../record/record-exchange.ts';
import { caddyFacts } from './caddy-facts.ts';

/** Access logs of Caddy in JSON. */
export const CADDY = {
  name: 'caddy',
  title: 'an access log of Caddy in JSON',
  detect: head => sureOfDialect(head, isCaddy),
  read: (bytes, file, { limits, mapping }) =>
    readLog(
      { bytes, file, ...limits },
      eachObject((record, place) => {
        const facts = caddyFacts(record, mapping?.completeHeaders);
        return facts === undefined ? 'traffic/no-fields' : new RecordExchange(place, facts);
      }),
    ),
} as const satisfies FormatDescription;

function isCaddy({ request }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(request) && 'uri' in request && ('remote_ip' in request || 'remote_addr' in request);
}
