import { canonicalHeaderName } from '@tollgate/policy';
import { type Exchange, type HeaderField, TLS_UNKNOWN } from '@tollgate/traffic';
import { UsageError } from '../../process/usage-error.ts';

/** Matches a request line: method, target and version (RFC 9112, section 3). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) +(\S+) +HTTP\/(\d)(?:\.(\d))?$/;

/** Returns true if the input starts like an HTTP request. */
export function isRawRequest(text: string): boolean {
  return REQUEST_LINE.test(text.trimStart().split(/\r?\n/, 1)[0]!.trimEnd());
}

/**
 * Parses a raw HTTP request, whose headers are all known. The body is ignored. Throws a {@link UsageError} with the line of a syntax error.
 */
export function readRawRequest(text: string, file: string): Exchange {
  const [head = ''] = text.trimStart().split(/\r?\n\r?\n/, 1);
  const [first = '', ...lines] = head.split(/\r?\n/).map(line => line.trimEnd());
  const [, method, target, major, minor = '0'] = REQUEST_LINE.exec(first)!;
  const fields = headerFields(
    lines.filter(line => line !== ''),
    file,
  );
  const absolute = /^https?:\/\/[^/?#]+/i.exec(target!);
  return {
    place: { file, number: 1, unit: 'entry' },
    ...{ time: undefined, clientIp: undefined, tls: TLS_UNKNOWN },
    method: method!,
    target: target!,
    url: absolute ? target! : undefined,
    protocol: `HTTP/${major}.${minor}`,
    requestHeaders: { fields, absent: [], complete: true, withheld: [] },
    response: undefined,
  };
}

/** A line that starts with a space continues the previous one (RFC 9112, section 5.2). */
function headerFields(lines: readonly string[], file: string): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const [index, line] of lines.entries()) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) {
      fields[fields.length - 1] = { ...last, value: `${last.value} ${line.trim()}` };
      continue;
    }
    const match = /^([^\s:]+)[ \t]*:[ \t]*(.*)$/.exec(line);
    if (match === null)
      throw new UsageError(`\`${file}:${index + 2}\`: expected a header such as \`Accept: */*\`, found \`${line}\``);
    fields.push({ name: canonicalHeaderName(match[1]!), value: match[2]! });
  }
  return fields;
}
