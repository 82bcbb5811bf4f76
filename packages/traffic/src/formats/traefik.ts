/** Access logs of Traefik, in JSON and in its common log format. */
import { accessLogLines, scanLine } from '../log-formats/access-log.ts';
import { addressIn, portIn } from '../records/field-values.ts';
import { readServerLog, type ServerNames } from '../records/json-lines.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/** The end of a line in Traefik's common log format: request number, router, server and duration. */
const COMMON_END = / \d+ "[^"]*" "[^"]*" \d+ms$/;

/** What begins the name of a header's member. */
const MESSAGES: Readonly<Record<string, string>> = { request: 'request_headers', downstream: 'response_headers' };

/** JSON logs of Traefik. It joins the values of a header with commas, and can redact headers. */
export const TRAEFIK_NAMES: ServerNames = {
  paths: {
    time: ['StartUTC', 'StartLocal', 'time'],
    client_ip: ['ClientHost', 'ClientAddr'],
    client_port: ['ClientPort', 'ClientAddr', 'ClientHost'],
    method: ['RequestMethod'],
    scheme: ['RequestScheme'],
    // `RequestAddr` is the authority as sent.
    host: ['RequestAddr', 'RequestHost'],
    target: ['RequestPath'],
    protocol: ['RequestProtocol'],
    tls_version: ['TLSVersion'],
    tls_cipher: ['TLSCipher'],
    user_agent: ['request_User-Agent'],
    referer: ['request_Referer'],
    status: ['DownstreamStatus'],
    response_size: ['DownstreamContentSize'],
  },
  combined: {
    // If a trusted proxy is in front, the address is that in `X-Forwarded-For`, and the port is that of the proxy.
    client_ip: valueAt => addressIn(valueAt(0)) ?? addressIn(valueAt(1)),
    client_port: valueAt => {
      const connected = valueAt(1);
      const client = addressIn(valueAt(2)) ?? addressIn(connected);
      const isDirect = connected === undefined || addressIn(connected) === client;
      return isDirect ? (portIn(valueAt(0)) ?? portIn(connected)) : undefined;
    },
  },
  missing: [],
  redacted: 'REDACTED',
  areRequestsWhole: true,
  others: {
    fieldOf: member => {
      const [, message, name] = /^(request|downstream)_(.+)$/.exec(member) ?? [];
      return message && `${MESSAGES[message]}.${name}`;
    },
    memberOf: (message, lowerCase) => {
      const [begin] = Object.entries(MESSAGES).find(([, one]) => one === message)!;
      return `${begin}_${lowerCase.replace(/(?:^|-)[a-z]/g, start => start.toUpperCase())}`;
    },
    pattern: '(?:request|downstream)_[^"]+',
  },
  otherLines: accessLogLines,
};

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
  read: (bytes, file, { limits, mapping }) => readServerLog({ bytes, file, ...limits }, TRAEFIK_NAMES, mapping),
} as const satisfies FormatDescription;
