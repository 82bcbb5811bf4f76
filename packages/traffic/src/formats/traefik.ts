/** Access logs of Traefik, in JSON and in its common log format. */
import type { HeaderFacts } from '../exchange/exchange.ts';
import { readLog } from '../input/lines.ts';
import { accessLogLines, scanLine } from '../log-formats/access-log.ts';
import {
  addressIn,
  portIn,
  protocolIn,
  schemeIn,
  sizeIn,
  statusIn,
  stringIn,
  timeIn,
  tlsVersionIn,
} from '../records/field-values.ts';
import { eachObject } from '../records/json-lines.ts';
import { LoggedHeaders, SENT } from '../records/logged-headers.ts';
import { RecordExchange, type RecordFacts } from '../records/record-exchange.ts';
import { WHOLE } from '../records/refusals.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

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

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a record in Traefik's access log; undefined for other messages. */
function traefikFacts(record: Fields, completeHeaders = false): RecordFacts | undefined {
  const target = stringIn(record.RequestPath) || undefined;
  const method = stringIn(record.RequestMethod) || undefined;
  if (target === undefined && method === undefined && record.ClientHost === undefined) return undefined;
  // If a trusted proxy is in front, the address is that in `X-Forwarded-For`, and the port is that of the proxy.
  const clientIp = addressIn(record.ClientHost) ?? addressIn(record.ClientAddr);
  const isDirect = record.ClientAddr === undefined || addressIn(record.ClientAddr) === clientIp;
  const scheme = schemeIn(record.RequestScheme);
  return {
    ...{ method, target, scheme, clientIp },
    time: timeIn(record.StartUTC) ?? timeIn(record.StartLocal) ?? timeIn(record.time),
    clientPort: isDirect ? (portIn(record.ClientPort) ?? portIn(record.ClientAddr)) : undefined,
    host: hostOf(record),
    protocol: protocolIn(record.RequestProtocol),
    ...tlsOf(record, scheme),
    requestHeaders: headersOf(record, /^request_(.+)$/, completeHeaders),
    status: statusIn(record.DownstreamStatus),
    responseHeaders: headersOf(record, /^downstream_(.+)$/, completeHeaders),
    responseSize: sizeIn(record.DownstreamContentSize),
  };
}

/** `RequestAddr` is the authority as sent. */
function hostOf({ RequestAddr, RequestHost }: Fields): string | undefined {
  return stringIn(RequestAddr) || stringIn(RequestHost) || undefined;
}

function tlsOf(
  { TLSVersion, TLSCipher }: Fields,
  scheme: string | undefined,
): Pick<RecordFacts, 'tlsVersion' | 'tlsCipher'> {
  if (TLSVersion === undefined) return scheme === 'http' ? { tlsVersion: '', tlsCipher: '' } : {};
  return { tlsVersion: tlsVersionIn(TLSVersion), tlsCipher: stringIn(TLSCipher) };
}

/** Traefik can redact headers: they were sent, and their values are unknown. It joins the values of a header with commas. */
function headersOf(record: Fields, pattern: RegExp, complete: boolean): HeaderFacts {
  const logged = new LoggedHeaders(SENT.absence, WHOLE);
  const withheld: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    const name = pattern.exec(key)?.[1];
    const text = stringIn(value);
    if (name === undefined || text === undefined) continue;
    if (text === 'REDACTED') withheld.push(name.toLowerCase());
    else logged.add(name, text);
  }
  return { ...logged.facts(), complete, withheld: complete ? withheld : [] };
}
