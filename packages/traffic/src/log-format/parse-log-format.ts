import { parseApacheFormat } from './apache-format.ts';
import { type Layout, layoutOf } from './layout.ts';
import { type PreparedFormat, prepareFormat } from './log-facts.ts';
import { LogFormatError, type ParsedFormat } from './log-variable.ts';
import { parseNginxFormat } from './nginx-format.ts';

/** A log format, ready to read lines with. */
export interface PreparedLog {
  readonly layout: Layout;
  readonly prepared: PreparedFormat;
}

/** Formats that have a name, as Apache writes them. */
export const NAMED_FORMATS: Readonly<Record<string, string>> = {
  common: '%h %l %u %t "%r" %>s %b',
  combined: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
};

/**
 * Reads a format of nginx (`$remote_addr …`) or Apache (`%h …`), the directive of either, or a name. Throws a {@link LogFormatError}
 * for one that is neither, or whose lines cannot be taken apart.
 */
export function parseLogFormat(written: string): PreparedLog {
  const format = parse(Object.hasOwn(NAMED_FORMATS, written) ? NAMED_FORMATS[written]! : written);
  const layout = layoutOf(format);
  return { layout, prepared: prepareFormat(format, layout) };
}

function parse(written: string): ParsedFormat {
  if (/^\s*log_format\s|\$\{?[A-Za-z]/.test(written)) return parseNginxFormat(written);
  if (written.includes('%')) return parseApacheFormat(written);
  const names = Object.keys(NAMED_FORMATS).map(name => `\`${name}\``);
  throw new LogFormatError(
    `expected a log format of nginx (\`$remote_addr …\`) or Apache (\`%h …\`), or one of ${names.join(', ')}, found \`${written}\``,
  );
}

/** What is wrong with a log format; undefined when it can be read. */
export function logFormatFault(written: string): string | undefined {
  try {
    parseLogFormat(written);
    return undefined;
  } catch (error) {
    if (error instanceof LogFormatError) return error.message;
    throw error;
  }
}
