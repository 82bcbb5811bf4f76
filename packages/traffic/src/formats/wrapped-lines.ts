/** Lines that a collector has wrapped: Docker, CRI, syslog, journald and others. */
import { bytesToLatin1, bytesToUtf8, latin1ToBytes, utf8ToBytes } from '@tollgate/diagnostics/portable';
import { isRecord } from '../records/field-values.ts';

/** Unwraps a log line by line. Lines keep their numbers; a line in several parts has that of its last part. */
export async function* unwrapped(
  source: AsyncIterable<Uint8Array>,
  wrapper: Wrapper,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array> {
  const unwrapper = new Unwrapper(wrapper, maxLineBytes);
  for await (const chunk of source) {
    const bytes = unwrapper.push(chunk);
    if (bytes.length > 0) yield bytes;
  }
  yield unwrapper.end();
}

/** Holds at most one line, and the parts of one line per stream; longer lines are passed on unchanged, and skipped by readers. */
export class Unwrapper {
  readonly #wrapper: Wrapper;
  readonly #maxLineBytes: number;
  readonly #parts = new Map<string, string>();
  #rest = '';
  /** Whether the beginning of a line that is too long has been passed on. */
  #isTooLong = false;
  #isAtStart = true;

  constructor(wrapper: Wrapper, maxLineBytes: number) {
    this.#wrapper = wrapper;
    this.#maxLineBytes = maxLineBytes;
  }

  push(chunk: Uint8Array): Uint8Array {
    const lines = (this.#rest + bytesToLatin1(chunk)).split('\n');
    this.#rest = lines.pop()!;
    let text = '';
    for (const line of lines) text += `${this.#line(line)}\n`;
    if (this.#rest.length > this.#maxLineBytes) {
      text += this.#rest;
      this.#rest = '';
      this.#isTooLong = true;
    }
    return latin1ToBytes(text);
  }

  /** Returns the last line, and incomplete lines. */
  end(): Uint8Array {
    const last = this.#rest === '' ? '' : this.#line(this.#rest);
    const open = [...this.#parts.values()];
    return latin1ToBytes([...(last === '' ? [] : [last]), ...open].join('\n'));
  }

  #line(written: string): string {
    const line = this.#isAtStart && written.startsWith('\xef\xbb\xbf') ? written.slice(3) : written;
    this.#isAtStart = false;
    if (this.#isTooLong) {
      this.#isTooLong = false;
      return line;
    }
    const found = this.#wrapper.unwrap(line);
    if (found === undefined) return line;
    const { text, isPart, stream } = found;
    const whole = (this.#parts.get(stream) ?? '') + text;
    if (isPart && whole.length <= this.#maxLineBytes) {
      this.#parts.set(stream, whole);
      return '';
    }
    this.#parts.delete(stream);
    return whole;
  }
}

/** What log collectors put around each line of a server's log. Lines are latin1 strings: one UTF-16 unit per byte. */
export interface Wrapper {
  /** Its common name. */
  readonly name: string;
  /** Returns undefined for a line that is not wrapped this way. */
  readonly unwrap: (line: string) => WrappedLine | undefined;
}

/** The wrapped content. */
interface WrappedLine {
  readonly text: string;
  /** The line continues in the next record of the stream. */
  readonly isPart: boolean;
  /** `stdout` and `stderr` may alternate. */
  readonly stream: string;
}

const ISO_TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)';
const BSD_TIME = '[A-Z][a-z]{2} [ \\d]\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d';

const CRI = new RegExp(`^${ISO_TIME} (stdout|stderr) ([FP])(?::\\S*)? `);

/** In the order in which they are tried. */
export const WRAPPERS: readonly Wrapper[] = [
  { name: 'Docker and other collectors that write JSON', unwrap: unwrapJson },
  { name: 'the Kubernetes container runtime (CRI)', unwrap: unwrapCri },
  // RFC 5424, section 6, optionally with the length prefix of RFC 6587.
  prefixed(
    'syslog (RFC 5424)',
    /^(?:\d+ )?<\d{1,3}>\d{1,2} \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\])+)(?: (?:\xef\xbb\xbf)?|$)/,
  ),
  // RFC 3164, as sent, and as rsyslog, syslog-ng and journalctl write it; some omit the host name.
  prefixed(
    'syslog',
    new RegExp(`^(?:<\\d{1,3}>)?(?:${BSD_TIME}|${ISO_TIME}) (?:[^\\s"]+ )?[^\\s:"[]+(?:\\[\\d*\\])?: ?`),
  ),
  prefixed('`kubectl logs --prefix`', new RegExp(`^\\[pod/[^\\]\\s]+\\] (?:${ISO_TIME} )?`)),
  prefixed('`docker compose logs`', new RegExp(`^[\\w.-]+ *\\| (?:${ISO_TIME} )?`)),
  prefixed('`kubectl logs --timestamps`', new RegExp(`^${ISO_TIME} `)),
  { name: 'the console format of Caddy', unwrap: unwrapConsole },
];

function prefixed(name: string, prefix: RegExp): Wrapper {
  return {
    name,
    unwrap: line => {
      const match = prefix.exec(line);
      return match === null ? undefined : { text: line.slice(match[0].length), isPart: false, stream: '' };
    },
  };
}

/** Time, level (coloured in a terminal), logger, message, and the members of an entry in JSON. */
const CONSOLE = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:[.]\d+)?)\t[^\t]*\t([^\t]*)\t([^\t]*)\t\{(.*)$/;

/** Returns the entry as Caddy's JSON format writes it. */
function unwrapConsole(line: string): WrappedLine | undefined {
  const match = CONSOLE.exec(line);
  if (match === null) return undefined;
  const [, ts, logger, msg, members] = match;
  return { text: `${JSON.stringify({ ts, logger, msg }).slice(0, -1)},${members}`, isPart: false, stream: '' };
}

function unwrapCri(line: string): WrappedLine | undefined {
  const match = CRI.exec(line);
  if (match === null) return undefined;
  return { text: line.slice(match[0].length), isPart: match[2] === 'P', stream: match[1]! };
}

/** Docker splits lines into records of this size. */
const DOCKER_PART = 16 * 1024;

/** The member with the line: of Docker and Fluent Bit, of the systemd journal, of Google Cloud, and of Vector and Filebeat. */
const LINES = ['log', 'MESSAGE', 'textPayload', 'message'];

/** Members of records that are requests themselves. */
const OWN_FIELDS = ['client_ip', 'method', 'url', 'target', 'path', 'query', 'request_headers', 'user_agent', 'status'];

/** Other strings are the same in Latin-1 and UTF-8; converting every line took three times as long. */
const BEYOND_ASCII = /[^\p{ASCII}]/u;

function unwrapJson(line: string): WrappedLine | undefined {
  if (!/^\s*\{/.test(line)) return undefined;
  const record = parsed(BEYOND_ASCII.test(line) ? bytesToUtf8(latin1ToBytes(line)) : line);
  if (!isRecord(record) || OWN_FIELDS.some(name => Object.hasOwn(record, name))) return undefined;
  const written = LINES.map(name => record[name]).find(value => typeof value === 'string');
  if (typeof written !== 'string') return undefined;
  const text = written.replace(/\r?\n$/, '');
  // A message of several lines is not a line of a server's log.
  if (text.includes('\n')) return undefined;
  const bytes = BEYOND_ASCII.test(text) ? bytesToLatin1(utf8ToBytes(text)) : text;
  const isPart = bytes.length >= DOCKER_PART && text === written && typeof record.stream === 'string';
  return { text: bytes, isPart, stream: String(record.stream) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
