/** Detects the format of a file from its beginning, or says which format is the closest and where the file breaks it. */
import { ExternalError } from '@tollgate/diagnostics';
import { bytesToHex, bytesToLatin1, bytesToUtf8, concatBytes, latin1ToBytes } from '@tollgate/diagnostics/portable';
import { matchLine, mismatchText } from '../records/line-grammar.ts';
import { FORMATS, type TrafficFormat } from './registry.ts';
import { type FormatDescription, type FormatHead, type FormatOptions, formatHead } from './traffic-format.ts';
import { Unwrapper, WRAPPERS, type Wrapper } from './wrapped-lines.ts';

/** A format with its name. */
type KnownFormat = FormatDescription & { readonly name: TrafficFormat };

const KNOWN: readonly KnownFormat[] = FORMATS;

/** The detected format of a file. */
export interface DetectedFormat {
  readonly format: KnownFormat;
  /** What wraps each line of that format. */
  readonly wrapper: Wrapper | undefined;
}

/** The beginning of a file, and what the user said about the file. */
interface FileHead {
  readonly bytes: Uint8Array;
  /** Nothing of the file follows. */
  readonly isWhole: boolean;
  readonly options: FormatOptions;
  /** Undefined to detect it. */
  readonly format: TrafficFormat | undefined;
}

/** Returns a format by name. */
function formatNamed(name: TrafficFormat | undefined): KnownFormat | undefined {
  return KNOWN.find(format => format.name === name);
}

/** Detects the format of a file from its beginning; returns undefined if it has none. */
export function detectFormat(file: FileHead): DetectedFormat | undefined {
  const named = formatNamed(file.format);
  const formats = named === undefined ? KNOWN : [named];
  const plain = likeliest(formatHead(file.bytes, file.isWhole), file.options, formats);
  if (plain === undefined || plain.sure < LEAST_SURE || CLAIMS_WRAPPED.has(plain.format.name)) {
    const wrapped = detectWrapped(file, formats);
    if (wrapped !== undefined) return wrapped;
  }
  const format = named ?? plain?.format;
  return format && { format, wrapper: undefined };
}

/** Formats that would detect wrapped lines as their own: a line by Docker begins like a HAR file, `{"log":`. */
const CLAIMS_WRAPPED: ReadonlySet<TrafficFormat> = new Set<TrafficFormat>(['har', 'json-lines', 'access-log', 'csv']);
const LEAST_SURE = 0.2;

/** The number of lines to try. */
const TRIED = 20;

/** Lines that are not wrapped pass unchanged, so one wrapped line is enough: the others may be damaged. */
function detectWrapped({ bytes, options }: FileHead, formats: readonly KnownFormat[]): DetectedFormat | undefined {
  const lines = bytesToLatin1(bytes)
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, TRIED);
  const ofLines = formats.filter(({ spansLines }) => !spansLines);
  const isMapped = Object.keys(options.mapping?.fields ?? {}).length > 0;
  for (const wrapper of WRAPPERS) {
    const wrapped = lines.filter(line => wrapper.unwrap(line) !== undefined);
    // A mapping of members does not refer to the line in one of them.
    if (wrapped.length === 0 || (isMapped && wrapped[0]!.startsWith('{'))) continue;
    const unwrapper = new Unwrapper(wrapper, bytes.length);
    const content = latin1ToBytes(wrapped.join('\n'));
    const inner = formatHead(concatBytes([unwrapper.push(content), unwrapper.end()]), true);
    const found = likeliest(inner, options, ofLines);
    if (found !== undefined && found.sure >= LEAST_SURE) return { format: found.format, wrapper };
  }
  return undefined;
}

function likeliest(
  head: FormatHead,
  options: FormatOptions,
  formats: readonly KnownFormat[],
): { readonly format: KnownFormat; readonly sure: number } | undefined {
  let best: { readonly format: KnownFormat; readonly sure: number } | undefined;
  for (const format of formats) {
    const sure = format.detect(head, options);
    if (sure > (best?.sure ?? 0)) best = { format, sure };
  }
  return best;
}

/** Returns the error for a file without a known format. */
export function unknownFormat(file: string, head: Uint8Array): ExternalError {
  const names = FORMATS.filter(({ name }) => name !== 'log-format').map(({ name }) => `\`${name}\``);
  const known =
    foundInstead(head) ??
    closestFormat(bytesToUtf8(head), KNOWN) ??
    `expected ${names.join(', ')}; describe any other log with \`--log-format\``;
  return new ExternalError('traffic/unknown-format', `\`${file}\` is not recorded traffic: ${known}`);
}

/** Describes files that resemble traffic. */
function foundInstead(head: Uint8Array): string | undefined {
  if (/^(?:fffe|feff)/.test(bytesToHex(head.subarray(0, 2)))) return 'found UTF-16; convert it to UTF-8';
  const isList = /^\s*\[\s*[{\]]/.test(bytesToLatin1(head.subarray(0, 256)));
  if (isList) return 'found a JSON list; write one object per line with `jq -c ".[]"`';
  return LOGS_WITHOUT_FORMAT.find(([pattern]) => pattern.test(bytesToLatin1(head)))?.[1];
}

/** Logs of known servers that lack what their formats need, and what to do. */
const LOGS_WITHOUT_FORMAT: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^\d{4}\/\d\d\/\d\d [\d:.]+\t[^\t\n]*\thttp[.]log[.]access[^\t\n]*\t[^\t\n]*\t\{/,
    'found the console format of Caddy; log with `format json`, or keep the JSON of each line with `cut -f5-`',
  ],
  [
    /^\d{10}[.]\d{3}\t[\da-f.:]+\t/i,
    'found a real-time log of CloudFront without the names of its fields; put them in a first line: `#Fields: timestamp(ms) c-ip` and so on',
  ],
];

/** The number of lines to try. */
const TRIED_LINES = 5;
/** In most formats, the first word is an address or a name. */
const LEAST_MATCHED = 2;

interface Closest {
  readonly name: string;
  readonly line: number;
  readonly offset: number;
  readonly matched: number;
  readonly expected: string;
}

/**
 * Returns the format that the lines of a file match furthest, with the first line that breaks it and what was expected where. Undefined if no
 * format is close.
 * @param text the beginning of the file
 */
function closestFormat(text: string, formats: readonly FormatDescription[]): string | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (/^\s*\{/.test(lines[0]!)) return brokenJson(lines[0]!);
  let best: Closest | undefined;
  for (const [index, line] of lines.slice(0, TRIED_LINES).entries()) {
    for (const { name, steps } of formats) {
      const found = steps === undefined ? undefined : matchLine(steps, line);
      if (found?.kind !== 'mismatch' || found.matched < LEAST_MATCHED || found.offset <= (best?.offset ?? 0)) continue;
      best = { name, line: index + 1, offset: found.offset, matched: found.matched, expected: found.expected };
    }
  }
  if (best === undefined) return undefined;
  return describe(best, lines[best.line - 1]!);
}

function describe({ name, line, ...mismatch }: Closest, text: string): string {
  return `the closest format is \`${name}\`, which line ${line} breaks: ${mismatchText(mismatch, text)}; describe the format with \`--log-format\``;
}

function brokenJson(line: string): string | undefined {
  try {
    JSON.parse(line);
    return undefined;
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const column = position === undefined ? line.length + 1 : Number(position) + 1;
    return `the closest format is \`json-lines\`, but line 1 is not valid JSON at column ${column}; write one object per line`;
  }
}
