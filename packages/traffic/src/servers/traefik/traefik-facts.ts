import type { HeaderFacts, HeaderField } from '../../exchange/exchange.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import {
  addressIn,
  portIn,
  protocolIn,
  schemeIn,
  sizeIn,
  statusIn,
  stringIn,
  timeIn,
} from '../../record/values/read-value.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a record in Traefik's access log; undefined for other messages. */
export function traefikFacts(record: Fields, completeHeaders = false): RecordFacts | undefined {
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

/** Traefik can redact headers: they were sent, and their values are unknown. */
function headersOf(record: Fields, pattern: RegExp, complete: boolean): HeaderFacts {
  const fields: HeaderField[] = [];
  const withheld: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    const name = pattern.exec(key)?.[1];
    const text = stringIn(value);
    if (name === undefined || text === undefined) continue;
    if (text === 'REDACTED') withheld.push(name.toLowerCase());
    else fields.push({ name, value: text });
  }
  return { fields, absent: [], complete, withheld: complete ? withheld : [] };
}
