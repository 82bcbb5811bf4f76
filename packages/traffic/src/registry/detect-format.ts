import { ExternalError } from '@tollgate/diagnostics';
import { closestFormat } from '../format/closest-format.ts';
import { type FormatHead, formatHead } from '../format/format-head.ts';
import type { FormatDescription, FormatOptions } from '../format/traffic-format.ts';
import { Unwrapper } from '../wrappers/unwrap.ts';
import { WRAPPERS, type Wrapper } from '../wrappers/wrappers.ts';
import { FORMATS, type TrafficFormat } from './registry.ts';

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
  readonly bytes: Buffer;
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
  const lines = bytes
    .toString('latin1')
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
    const content = Buffer.from(wrapped.join('\n'), 'latin1');
    const inner = formatHead(Buffer.concat([unwrapper.push(content), unwrapper.end()]), true);
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
export function unknownFormat(file: string, head: Buffer): ExternalError {
  const names = FORMATS.filter(({ name }) => name !== 'log-format').map(({ name }) => `\`${name}\``);
  const known =
    foundInstead(head) ??
    closestFormat(head.toString(), KNOWN) ??
    `expected ${names.join(', ')}; describe any other log with \`--log-format\``;
  return new ExternalError('traffic/unknown-format', `\`${file}\` is not recorded traffic: ${known}`);
}

/** Describes files that resemble traffic. */
function foundInstead(head: Buffer): string | undefined {
  if (/^(?:fffe|feff)/.test(head.toString('hex', 0, 2))) return 'found UTF-16; convert it to UTF-8';
  const isList = /^\s*\[\s*[{\]]/.test(head.toString('latin1', 0, 256));
  return isList ? 'found a JSON list; write one object per line with `jq -c ".[]"`' : undefined;
}
