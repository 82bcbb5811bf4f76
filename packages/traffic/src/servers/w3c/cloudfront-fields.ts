import { type Absence, DASH } from '../../record/logged-headers.ts';
import { readW3cFields, type W3cFields } from './w3c-facts.ts';

/** The fields of standard logs, in the order in which CloudFront has added them since 2010. */
const FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query ' +
  'cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ' +
  'ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte ' +
  'x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end';

const NAMES = FIELDS.split(' ');
/** The number of fields up to the request id, which all current logs have. */
const LEAST = 15;

/** Date, time and edge location, separated by tabs. */
const BEGIN = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[A-Z0-9-]*\t/;

/** Returns true for a line of a CloudFront standard log. */
export function isCloudFrontLine(line: string): boolean {
  return cloudFrontFields(line, DASH) !== undefined;
}

/** Returns the fields of a standard log without a header, as in concatenated or split logs; undefined for other lines. */
export function cloudFrontFields(line: string, absence: Absence): W3cFields | undefined {
  if (!BEGIN.test(line)) return undefined;
  const count = line.split('\t').length;
  if (count < LEAST || count > NAMES.length) return undefined;
  return readW3cFields(NAMES.slice(0, count).join(' '), { date: undefined, absence });
}
