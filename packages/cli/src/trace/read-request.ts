// An exchange that is read: a file, a raw request, or a record of a recording.

import { stat } from 'node:fs/promises';
import { ExternalError, type Report, type SourceText } from '@tollgate/diagnostics';
import { canonicalHeaderName, readExchange } from '@tollgate/policy';
import { testExchange } from '@tollgate/simulator';
import {
  type Exchange,
  formatLocation,
  type HeaderField,
  type ReadTrafficOptions,
  type SkippedRecord,
  TLS_UNKNOWN,
} from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { readSource, requireReadable } from '../input/read-source.ts';
import { nothingReadIn } from '../input/unread-files.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';

/** The exchange that an argument names, or the errors in its file. */
export type ReadExchangeResult = ExchangeWithSource | { readonly refused: Report };

/** An exchange; if it is a record of a recording, also how to read that recording. */
export interface ExchangeWithSource {
  readonly exchange: Exchange;
  readonly recording?: ReadTrafficOptions;
}

/** Maximum size of a file with a single exchange, which is written by hand. */
const MAX_BYTES = 1 << 20;

/**
 * Reads the exchange of `FILE`, `FILE#N` or `-`: a raw HTTP request, one exchange in JSON or YAML as in policy tests, or a record of a
 * recording by number or line. Throws a {@link UsageError} for anything else.
 */
export async function readRequest(
  argument: string,
  traffic: ReadTrafficOptions,
  terminal: Terminal,
): Promise<ReadExchangeResult> {
  const [, file, number] = /^(.+?)(?:#(\d+))?$/s.exec(argument) ?? ['', argument, undefined];
  const record = number === undefined ? undefined : Number(number);
  requireReadable(file!, 'user', terminal);
  const source = await wholeText(file!, record, terminal);
  const isRecording = traffic.format !== undefined || traffic.logFormat !== undefined;
  const written = source && !isRecording ? readSingleExchange(source, record) : undefined;
  if (written !== undefined) return written;
  const compact = source && compactRecord(source.text);
  const isRead = source && (file === STANDARD_INPUT || compact !== undefined);
  const content = isRead ? { content: contentOf(compact ?? source.text) } : {};
  const exchange = await recorded(source?.uri ?? file!, record, { ...traffic, ...content });
  return isRead ? { exchange } : { exchange, recording: traffic };
}

/** Returns the content of a file that may be a single exchange. Compressed files are recordings. */
async function wholeText(
  file: string,
  record: number | undefined,
  terminal: Terminal,
): Promise<SourceText | undefined> {
  if (file !== STANDARD_INPUT) {
    const found = await stat(file).catch(() => undefined);
    if (record !== undefined || (found && found.size > MAX_BYTES)) return undefined;
  }
  const source = await readSource(file, terminal);
  if (!(source instanceof Error)) return source;
  if (source.code === 'file/not-utf-8') return undefined;
  throw source;
}

/** Returns a single exchange; undefined if the file may be a recording. */
function readSingleExchange(source: SourceText, record: number | undefined): ReadExchangeResult | undefined {
  if (isRawRequest(source.text)) {
    if (record !== undefined && record !== 1)
      throw new UsageError(`\`${source.uri}\` contains a single request; remove \`#${record}\``);
    return { exchange: readRawRequest(source.text, source.uri) };
  }
  if (!isWrittenExchange(source.text)) return undefined;
  const { value, diagnostics } = readExchange(source);
  if (value === undefined) return { refused: { sources: [source], diagnostics } };
  return { exchange: testExchange(value, { file: source.uri, number: 1, unit: 'entry' }) };
}

/** Matches JSON or YAML with a request; JSON Lines and HAR files start differently. */
function isWrittenExchange(text: string): boolean {
  return /^(?:---\s*\n)?(?:\s|#.*\n)*(?:\{\s*)?["']?(?:connection|request|response|now)["']?\s*:/.test(text);
}

/** Returns a JSON record on one line. HAR files stay unchanged. */
function compactRecord(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !('log' in value) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function recorded(file: string, record: number | undefined, traffic: ReadTrafficOptions): Promise<Exchange> {
  let only: Exchange | undefined;
  let example: SkippedRecord | undefined;
  const counts = { exchanges: 0, skipped: 0 };
  for await (const { exchanges, skipped } of readTraffic(file, traffic)) {
    for (const exchange of exchanges) {
      if (exchange.place.number === record) return exchange;
      if (record !== undefined) continue;
      if (only) throw new UsageError(several(file, only, exchange));
      only = exchange;
    }
    counts.exchanges += exchanges.length;
    counts.skipped += skipped.length;
    example ??= skipped[0];
    const skippedRecord = skipped.find(({ place }) => place.number === record);
    if (skippedRecord)
      throw new UsageError(
        `\`${formatLocation(skippedRecord.place)}\` is not an exchange: \`${skippedRecord.excerpt}\``,
      );
  }
  if (only) return only;
  if (counts.exchanges === 0) throw await nothingReadIn({ files: [file], skipped: counts.skipped, example }, traffic);
  const what = record === undefined ? 'no exchange' : `no exchange \`#${record}\``;
  throw new ExternalError('traffic/no-such-record', `found ${what} in \`${file}\``);
}

function several(file: string, { place }: Exchange, { place: next }: Exchange): string {
  const [one, other] = [place.number, next.number].map(number => `\`${file}#${number}\``);
  return `\`${file}\` contains several exchanges; choose one, such as ${one} or ${other}`;
}

/** Matches a request line: method, target and version (RFC 9112, section 3). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) +(\S+) +HTTP\/(\d)(?:\.(\d))?$/;

/** Returns true if the input starts like an HTTP request. */
function isRawRequest(text: string): boolean {
  return REQUEST_LINE.test(text.trimStart().split(/\r?\n/, 1)[0]!.trimEnd());
}

/**
 * Parses a raw HTTP request, whose headers are all known. The body is ignored. Throws a {@link UsageError} with the line of a syntax error.
 */
function readRawRequest(text: string, file: string): Exchange {
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
    time: undefined,
    clientIp: undefined,
    tls: TLS_UNKNOWN,
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
