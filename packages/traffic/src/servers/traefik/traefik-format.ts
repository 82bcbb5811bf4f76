import { accessLogLines } from '../../access-log/read-access-log.ts';
import { scanLine } from '../../access-log/scan-line.ts';
import { sureOfDialect } from '../../format/format-head.ts';
import type { FormatDescription } from '../../format/traffic-format.ts';
import { readLog } from '../../input/read-log.ts';
import { eachObject } from '../../json-lines/read-json-lines.ts';
import { RecordExchange } from '../../record/record-exchange.ts';
import { traefikFacts } from './traefik-facts.ts';

/** The end of a line in Traefik's common log format: request number, router, server and duration. */
const COMMON_END = / \d+ "[^"]*" "[^"]*" \d+ms$/;

/** Access logs of Traefik, in JSON or in its common log format. */
export const TRAEFIK = {
  name: 'traefik',
  title: 'an access log of Traefik, in JSON or CLF',
  detect: head => {
    const isCommon = head.lines.some(line => COMMON_END.test(line) && scanLine(line) !== undefined);
    return isCommon
      ? 0.8
      : sureOfDialect(head, one => 'RequestMethod' in one && ('ClientHost' in one || 'ClientAddr' in one));
  },
  read: (bytes, file, { limits, mapping = {} }) => {
    const readJson = eachObject((record, place) => {
      const facts = traefikFacts(record, mapping.completeHeaders);
      return facts === undefined ? 'traffic/no-fields' : new RecordExchange(place, facts);
    });
    const readLine = accessLogLines(mapping);
    return readLog({ bytes, file, ...limits }, (text, place) =>
      /^\s*\{/.test(text) ? readJson(text, place) : readLine(text, place),
    );
  },
} as const satisfies FormatDescription;
