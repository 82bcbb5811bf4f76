import { parseApacheFormat } from './apache-format.ts';
import { isEnvoyFormat, parseEnvoyFormat } from './envoy-format.ts';
import { type Layout, layoutOf } from './layout.ts';
import { type PreparedFormat, prepareFormat } from './log-facts.ts';
import { LogFormatError, type ParsedFormat } from './log-variable.ts';
import { parseNginxFormat } from './nginx-format.ts';

/** A log format, prepared for reading lines. */
export interface PreparedLog {
  readonly layout: Layout;
  readonly prepared: PreparedFormat;
}

const ENVOY_BEGIN =
  '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS%';
const ENVOY_MIDDLE =
  '%BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" ' +
  '"%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"';

/** Named formats: those of Apache, and the defaults of Envoy and Istio. */
export const NAMED_FORMATS: Readonly<Record<string, string>> = {
  common: '%h %l %u %t "%r" %>s %b',
  combined: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
  envoy: `${ENVOY_BEGIN} ${ENVOY_MIDDLE}`,
  istio:
    `${ENVOY_BEGIN} %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% "%UPSTREAM_TRANSPORT_FAILURE_REASON%" ${ENVOY_MIDDLE} ` +
    '%UPSTREAM_CLUSTER_RAW% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS% %REQUESTED_SERVER_NAME% %ROUTE_NAME%',
};

/**
 * Parses a format of nginx (`$remote_addr …`), Apache (`%h …`) or Envoy (`%PROTOCOL% …`), a directive of one of the first two, or a name.
 * Throws a {@link LogFormatError} for anything else, and for formats whose lines cannot be split.
 */
export function parseLogFormat(written: string): PreparedLog {
  const format = parse(Object.hasOwn(NAMED_FORMATS, written) ? NAMED_FORMATS[written]! : written);
  const layout = layoutOf(format);
  return { layout, prepared: prepareFormat(format, layout) };
}

function parse(written: string): ParsedFormat {
  if (/^\s*log_format\s|\$\{?[A-Za-z]/.test(written)) return parseNginxFormat(written);
  if (isEnvoyFormat(written)) return parseEnvoyFormat(written);
  if (written.includes('%')) return parseApacheFormat(written);
  const names = Object.keys(NAMED_FORMATS).map(name => `\`${name}\``);
  throw new LogFormatError(
    `expected a log format of nginx (\`$remote_addr …\`), Apache (\`%h …\`) or Envoy (\`%PROTOCOL% …\`), or one of ${names.join(', ')}, found \`${written}\``,
  );
}

/** Returns what is wrong with a log format; undefined if it is valid. */
export function logFormatFault(written: string): string | undefined {
  try {
    parseLogFormat(written);
    return undefined;
  } catch (error) {
    if (error instanceof LogFormatError) return error.message;
    throw error;
  }
}
