import type { FormatDescription } from '../../format/traffic-format.ts';
import { type ReadLine, readLog } from '../../input/read-log.ts';
import { type Absence, absenceOf, DASH } from '../../record/logged-headers.ts';
import { RecordExchange } from '../../record/record-exchange.ts';
import { cloudFrontFields, isCloudFrontLine } from './cloudfront-fields.ts';
import { readW3cFields, type W3cFields, w3cFacts } from './w3c-facts.ts';

/** Extended logs of the W3C working draft, such as those of IIS, and standard logs of CloudFront. */
export const W3C = {
  name: 'w3c',
  title: 'a W3C extended log, such as those of IIS and CloudFront',
  detect: ({ text, lines }) => (/^#(?:Version|Software|Fields):/m.test(text) || lines.some(isCloudFrontLine) ? 0.9 : 0),
  read: (bytes, file, { limits, mapping }) =>
    readLog({ bytes, file, ...limits }, w3cLines(absenceOf(DASH.unclear, mapping?.absent))),
} as const satisfies FormatDescription;

/** Directives apply from their line on: servers repeat them when they start, and when their settings change. */
function w3cLines(absence: Absence): ReadLine {
  let fields: W3cFields | undefined;
  let date: string | undefined;
  return (text, place) => {
    if (text.startsWith('#')) {
      const [, name = '', value = ''] = /^#([A-Za-z-]+):\s*(.*)$/.exec(text) ?? [];
      if (name.toLowerCase() === 'fields') fields = readW3cFields(value, { date, absence });
      if (name.toLowerCase() === 'date') {
        date = value.slice(0, 10);
        if (fields !== undefined) fields = { ...fields, date };
      }
      return undefined;
    }
    fields ??= cloudFrontFields(text, absence);
    const values = fields === undefined ? undefined : splitValues(text);
    if (fields === undefined || values?.length !== fields.count) return 'traffic/malformed-line';
    const facts = w3cFacts(values, fields);
    return fields.positions.has('cs-method') && facts.method === undefined
      ? 'traffic/no-request'
      : new RecordExchange(place, facts);
  };
}

/** Splits values at tabs or spaces; those in quotes may contain spaces and doubled quotes. */
function splitValues(text: string): readonly string[] | undefined {
  if (text.includes('\t')) return text.split('\t');
  if (!text.includes('"')) return text.split(' ');
  const values: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|((?:[^" ][^ ]*)?))(?: |$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    values.push(match[2] ?? match[1]!.replaceAll('""', '"'));
  }
  return values;
}
