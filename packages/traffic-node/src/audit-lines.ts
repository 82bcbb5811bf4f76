/** Whether an engine reads JSON lines exactly as `JSON.parse` does: finds the lines that it may not, and replaces those that it cannot read. */
import { isAscii, isUtf8 } from 'node:buffer';
import { chmod, copyFile, type FileHandle, open } from 'node:fs/promises';
import { decompress, isRecord, parseObject } from '@tollgate/traffic/reading';
import { openFile } from './open-file.ts';
import { INFLATERS } from './read-traffic.ts';

/** What an engine takes for granted about every line. */
export interface LineExpectations {
  /** Longest line in bytes. */
  readonly maxLineLength: number;
  /** Members with an object of headers. */
  readonly objects: readonly string[];
  /** Whether an object of headers says something even if it has none. */
  readonly isComplete?: boolean;
  /** The spelling of each header that is read in them, by its name in lower case; undefined if the engine compares all names. */
  readonly headers: ReadonlyMap<string, string> | undefined;
  /** Members in which null is not the same as no value. */
  readonly nullable: readonly string[];
  /** Members with headers. */
  readonly others?: OtherMembers | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Called once the engine cannot read a line at all. */
  readonly onBroken: () => void;
}

/** Members whose names say what they hold. */
interface OtherMembers {
  /** A pattern that all of their names match. */
  readonly pattern: string;
  /** Those that the engine reads. */
  readonly known: readonly string[];
  /** Whether another one holds a header that is read. */
  readonly isRead: (member: string) => boolean;
}

/** A line that an engine may read otherwise than `JSON.parse`. */
export interface OddLine {
  /** One-based. */
  readonly number: number;
  /** The start of one that is too long. */
  readonly bytes: Uint8Array;
  /** Whether an engine ends at it. */
  readonly isBroken: boolean;
}

/** What an audit found. */
export interface LineAudit {
  /** The number of lines that are not blank. */
  readonly records: number;
  /** Of all lines. */
  readonly bytes: number;
  /** One-based numbers of blank lines. */
  readonly empty: readonly number[];
  readonly odd: readonly OddLine[];
  /** The numbers of lines in which a member is null, by its name. */
  readonly nulls: ReadonlyMap<string, readonly number[]>;
  /** Why the lines do not suit an engine. */
  readonly fault: LineFault | undefined;
}

/** Why lines do not suit an engine; a clause that continues `line 7 of FILE`. */
interface LineFault {
  readonly line: number;
  readonly problem: string;
  /** A name of a header that many lines write in another way than was expected. */
  readonly header?: string;
}

/** More empty lines are not worth the memory. */
const MAX_EMPTY = 1_000_000;
/** More odd lines are not worth it: each takes ten times as long as others. */
export const MAX_ODD = 10_000;
/** Odd lines are kept until the engine has read all others. */
const MAX_ODD_BYTES = 64 * 1024 * 1024;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;

/**
 * Looks for lines that engines read otherwise than `JSON.parse`: engines accept trailing commas and NaN, distinguish the case of header names, and
 * read null as absent. One regular expression over the bytes finds candidates, which are then parsed.
 */
export async function auditJsonLines(file: string, expected: LineExpectations): Promise<LineAudit> {
  const audit = new Audit(expected);
  let rest = '';
  for await (const chunk of decompress(openFile(file, expected.onBytes), file, INFLATERS)) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const text = buffer.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    audit.read(end === 0 ? '' : rest + text.slice(0, end), isAscii(buffer));
    rest = end === 0 ? rest + text : text.slice(end);
    if (rest.length > LONGEST_LINE) audit.refuseLongLine();
    if (audit.fault !== undefined) return audit.result();
  }
  if (rest !== '') audit.read(`${rest}\n`, false);
  return audit.result();
}

/** In bytes. Longer ones are not for an engine, and are not held in memory here. */
const LONGEST_LINE = 8 * 1024 * 1024;

const TOO_LONG = `is longer than ${LONGEST_LINE} bytes`;

/** Thrown where whole lines are needed and one of them is too long to be held. */
export class LongLineError extends Error {
  override readonly name = 'LongLineError';

  constructor(line: number, file: string) {
    super(`line ${line} of \`${file}\` ${TOO_LONG}`);
  }
}

class Audit {
  fault: LineFault | undefined;
  readonly #expected: LineExpectations;
  readonly #candidate: RegExp;
  readonly #null: RegExp | undefined;
  readonly #empty: number[] = [];
  readonly #odd = new Map<number, OddLine>();
  #oddBytes = 0;
  #bytes = 0;
  readonly #nulls = new Map<string, number[]>();
  #lines = 0;
  #wasAscii = true;

  constructor(expected: LineExpectations) {
    this.#expected = expected;
    this.#candidate = candidatePattern(expected);
    const { nullable } = expected;
    if (nullable.length > 0)
      this.#null = new RegExp(`"(${nullable.map(escaped).join('|')})"[ \\t\\r]*:[ \\t\\r]*null`, 'g');
  }

  /** Reads complete lines, each byte a unit. */
  read(text: string, isAscii: boolean): void {
    const isPlain = isAscii && this.#wasAscii;
    this.#wasAscii = text === '' ? isPlain : isAscii;
    if (text === '') return;
    const first = this.#lines;
    this.#bytes += text.length;
    const bytesMatter = (!isPlain && !isUtf8(Buffer.from(text, 'latin1'))) || text.includes('\0');
    for (let start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
      this.#lines++;
      const last = text.charCodeAt(end - 1) === CARRIAGE_RETURN && end > start ? end - 1 : end;
      const isUsual = text.charCodeAt(start) === BRACE && text.charCodeAt(last - 1) === CLOSING_BRACE;
      if (isUsual && last - start <= this.#expected.maxLineLength && !bytesMatter) continue;
      this.#readLine(text.slice(start, last), bytesMatter);
      if (this.fault !== undefined) return;
    }
    this.#readCandidates(text, first);
    if (this.#null !== undefined) this.#readNulls(text, first);
  }

  /** Reads a line that does not look like an object. */
  #readLine(line: string, bytesMatter: boolean): void {
    const { maxLineLength } = this.#expected;
    if (/^[ \t\r]*$/.test(line)) {
      if (this.#empty.push(this.#lines) > MAX_EMPTY) this.fault = this.#faulty('is one of too many empty lines');
      else if (line !== '') this.#add(line, false);
    } else if (line.length > maxLineLength) this.#add(line.slice(0, 3 * maxLineLength + 4), false);
    else if (!(line.startsWith('{') && line.endsWith('}'))) this.#add(line, recordIn(line) === undefined);
    else if (bytesMatter && (line.includes('\0') || !isUtf8(Buffer.from(line, 'latin1')))) this.#add(line, true);
  }

  #readCandidates(text: string, first: number): void {
    let [counted, number] = [0, first];
    this.#candidate.lastIndex = 0;
    for (let match = this.#candidate.exec(text); match !== null; match = this.#candidate.exec(text)) {
      const member = match.groups?.member;
      if (member !== undefined && !this.#matters(member)) continue;
      const start = text.lastIndexOf('\n', match.index) + 1;
      const end = text.indexOf('\n', match.index);
      number += linesIn(text.slice(counted, start));
      counted = start;
      const oddity = oddityOf(text.slice(start, end), this.#expected);
      if (oddity !== undefined) {
        const { header, problem } = oddity;
        if (problem !== undefined) this.fault = { line: number + 1, problem };
        else if (!this.#odd.has(number + 1)) this.#add(text.slice(start, end), oddity.isBroken, number + 1);
        if (this.fault !== undefined && header !== undefined) this.fault = { ...this.fault, header };
        if (this.fault !== undefined) return;
      }
      this.#candidate.lastIndex = end;
    }
  }

  /** Whether a member whose name is not one of those that are expected may be read. Escapes may hide what it is. */
  #matters(name: string): boolean {
    return name.includes('\\') || this.#expected.others?.isRead(bytesAsText(name)) === true;
  }

  #readNulls(text: string, first: number): void {
    const pattern = this.#null!;
    let [start, number] = [0, first + 1];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      for (let end = text.indexOf('\n', start); end < match.index; end = text.indexOf('\n', start)) {
        start = end + 1;
        number++;
      }
      if (depthAt(text, start, match.index) !== 1) continue;
      const name = bytesAsText(match[1]!);
      const numbers = this.#nulls.get(name) ?? [];
      this.#nulls.set(name, numbers);
      numbers.push(number);
    }
  }

  #add(line: string, isBroken: boolean, number = this.#lines): void {
    this.#oddBytes += line.length;
    if (this.#odd.size === MAX_ODD) this.fault = { line: number, problem: `is one of more than ${MAX_ODD} odd lines` };
    else if (this.#oddBytes > MAX_ODD_BYTES)
      this.fault = { line: number, problem: `is one of the odd lines, which have more than ${MAX_ODD_BYTES} bytes` };
    else this.#odd.set(number, { number, bytes: Buffer.from(line, 'latin1'), isBroken });
    if (isBroken) this.#expected.onBroken();
  }

  /** Takes in that the line after those that were read is too long. */
  refuseLongLine(): void {
    this.fault = { line: this.#lines + 1, problem: TOO_LONG };
    this.#expected.onBroken();
  }

  #faulty(problem: string): LineFault {
    return { line: this.#lines, problem };
  }

  result(): LineAudit {
    const odd = [...this.#odd.values()].sort((one, other) => one.number - other.number);
    return {
      records: this.#lines - this.#empty.length,
      bytes: this.#bytes,
      empty: this.#empty,
      odd,
      nulls: this.#nulls,
      fault: this.fault,
    };
  }
}

function bytesAsText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

function recordIn(line: string): Readonly<Record<string, unknown>> | undefined {
  return parseObject(bytesAsText(line));
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Returns in how many objects and lists of a line a position is. */
function depthAt(text: string, start: number, position: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < position; at++) {
    const unit = text.charCodeAt(at);
    if (isQuoted) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) isQuoted = false;
    } else if (unit === 0x22) isQuoted = true;
    else if (unit === BRACE || unit === 0x5b) depth++;
    else if (unit === CLOSING_BRACE || unit === 0x5d) depth--;
  }
  return depth;
}

/** What may make a line odd. It also matches inside strings, which is why each match is parsed. */
function candidatePattern({ headers, objects, isComplete, nullable, others }: LineExpectations): RegExp {
  const space = '[ \\t\\r]*';
  const names = [...(headers ?? [])].map(([name, spelling]) => `"(?!${escaped(spelling)}")${anyCase(name)}"`);
  const nulls = [...(headers ?? []).values()].map(escaped);
  // A first header with a string, a number or a list of them says something.
  const silent =
    headers === undefined || isComplete
      ? ''
      : `|\\{${space}(?:\\}|"[^"\\\\]*"${space}:${space}(?:[^"0-9n \\t\\r\\[-]|\\[${space}[^"0-9 \\t\\r-]))`;
  const parts = [
    `,${space}[}\\]]`,
    `\\}${space}\\{`,
    `[:,[]${space}-?(?:[nN][aA][nN]|[iI][nN][fF])`,
    LONE_SURROGATE,
    ...names,
    ...(nulls.length > 0 ? [`"(?:${nulls.join('|')})"${space}:${space}null`] : []),
    ...(objects.length > 0
      ? [`"(?:${objects.map(escaped).join('|')})"${space}:${space}(?:[^{n \\t\\r]${silent})`]
      : []),
    ...(objects.length > 0 || nullable.length > 0 ? ['\\\\u00[2-7]'] : []),
    ...(others === undefined
      ? []
      : [`"(?!(?:${others.known.map(escaped).join('|')})")(?<member>${others.pattern})"(?=${space}:)`]),
  ];
  return new RegExp(parts.join('|'), 'g');
}

/** An escaped half of a surrogate pair, which engines do not read. */
const LONE_SURROGATE =
  '\\\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\\\u[dD][c-fC-F])|(?<!\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD])[c-fC-F])';

function anyCase(name: string): string {
  return [...name]
    .map(char => (char.toUpperCase() === char ? escaped(char) : `[${char}${char.toUpperCase()}]`))
    .join('');
}

function escaped(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Why a line is odd. */
interface Oddity {
  readonly isBroken: boolean;
  readonly header?: string;
  /** Why the line does not suit an engine. */
  readonly problem?: string;
}

function oddityOf(
  line: string,
  { objects, isComplete, headers, nullable, others }: LineExpectations,
): Oddity | undefined {
  const record = recordIn(line);
  // Engines accept trailing commas and NaN.
  if (record === undefined) return { isBroken: /\}\s*\{/.test(line) };
  if (new RegExp(LONE_SURROGATE).test(line)) return { isBroken: true };
  const other = others && Object.keys(record).find(name => others.isRead(name) && !others.known.includes(name));
  if (other !== undefined)
    return { isBroken: false, problem: `has a header in \`${other}\`, which the first lines lack` };
  // The name may be escaped.
  if (line.includes('\\u00') && nullable.some(name => record[name] === null)) return { isBroken: false };
  for (const name of objects) {
    const held = ownMember(record, name);
    if (held === undefined || held === null) continue;
    if (!isRecord(held)) return { isBroken: true };
    if (headers === undefined) continue;
    const keys = Object.keys(held);
    const [first] = keys;
    const value = first === undefined ? undefined : held[first];
    const saysSomething = value === null || typeof value === 'string' || typeof value === 'number';
    if (!saysSomething && !isComplete) return { isBroken: false, header: first ?? '' };
    for (const key of keys) {
      const spelling = headers.get(key.toLowerCase());
      if (spelling !== undefined && (spelling !== key || held[key] === null)) return { isBroken: false, header: key };
    }
  }
  return undefined;
}

function ownMember(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Copies a file, decompressed, with an empty object in place of some lines. Returns those lines. Throws a {@link LongLineError} for a line that
 * is too long.
 */
export async function copyLines(
  file: string,
  copy: string,
  replaced: ReadonlySet<number>,
): Promise<readonly OddLine[]> {
  const lines: OddLine[] = [];
  const out = await open(copy, 'w');
  try {
    for await (const { bytes, first } of wholeLines(file)) {
      let [written, start] = [0, 0];
      for (let number = first; start < bytes.length; number++) {
        const found = bytes.indexOf(0x0a, start);
        const end = found < 0 ? bytes.length : found;
        if (replaced.has(number)) {
          lines.push({ number, bytes: Buffer.from(bytes.subarray(start, end)), isBroken: true });
          await out.write(bytes.subarray(written, start));
          await out.write('{}');
          written = end;
        }
        start = end + 1;
      }
      await out.write(bytes.subarray(written));
    }
  } finally {
    await out.close();
  }
  return lines;
}

/** Returns lines of a file, by their numbers. */
export async function linesAt(file: string, numbers: ReadonlySet<number>): Promise<readonly OddLine[]> {
  const lines: OddLine[] = [];
  for await (const { bytes, first } of wholeLines(file)) {
    let start = 0;
    for (let number = first; start < bytes.length; number++) {
      const found = bytes.indexOf(0x0a, start);
      const end = found < 0 ? bytes.length : found;
      if (numbers.has(number)) lines.push({ number, bytes: Buffer.from(bytes.subarray(start, end)), isBroken: false });
      start = end + 1;
    }
    if (lines.length === numbers.size) break;
  }
  return lines;
}

/** Complete lines, the first of which has a number. */
interface WholeLines {
  readonly bytes: Buffer;
  readonly first: number;
}

async function* wholeLines(file: string): AsyncGenerator<WholeLines> {
  let [first, length]: [number, number] = [1, 0];
  let held: Uint8Array[] = [];
  for await (const chunk of decompress(openFile(file), file, INFLATERS)) {
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end > 0) {
      const bytes = Buffer.concat([...held, chunk.subarray(0, end)]);
      yield { bytes, first };
      first += newlinesIn(bytes, bytes.length);
      [held, length] = [[], 0];
    }
    // A chunk is valid until the next one is requested.
    held.push(new Uint8Array(chunk.subarray(end)));
    length += chunk.length - end;
    if (length > LONGEST_LINE) throw new LongLineError(first, file);
  }
  if (length > 0) yield { bytes: Buffer.concat(held), first };
}

function newlinesIn(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < end; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

/** Returns whether the last line of an uncompressed file is not an object, as after a full disk or a crash. */
export async function isCut(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const last = await lastLine(handle);
    return last !== undefined && last.text.trim() !== '' && recordIn(last.text) === undefined;
  } finally {
    await handle.close();
  }
}

/** Copies an uncompressed file, with an empty object in place of its last line. Returns that line; undefined if it is long. */
export async function copyToLastLine(file: string, copy: string): Promise<Uint8Array | undefined> {
  await copyFile(file, copy);
  await chmod(copy, 0o600);
  const handle = await open(copy, 'r+');
  try {
    const last = await lastLine(handle);
    if (last === undefined) return undefined;
    await handle.truncate(last.start);
    await handle.write('{}', last.start);
    return Buffer.from(last.text, 'latin1');
  } finally {
    await handle.close();
  }
}

interface LastLine {
  /** In bytes. */
  readonly start: number;
  /** Each byte a unit. */
  readonly text: string;
}

/** Returns undefined for a long line. */
async function lastLine(handle: FileHandle): Promise<LastLine | undefined> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - TAIL);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL), 0, TAIL, from);
  const text = buffer.toString('latin1', 0, bytesRead).replace(/\n$/, '');
  const start = text.lastIndexOf('\n') + 1;
  return start === 0 && from > 0 ? undefined : { start: from + start, text: text.slice(start) };
}

/** The bytes in which a last line is looked for. */
const TAIL = 64 * 1024;
