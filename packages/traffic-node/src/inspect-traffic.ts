/** What the beginning of a file says about it, and whether an engine reads JSON lines exactly as `JSON.parse` does. */
import { open, stat } from 'node:fs/promises';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { ReadTrafficOptions, TrafficFormat, UnreadMembers } from '@tollgate/traffic';
import {
  decompress,
  detectFormat,
  HEAD_BYTES,
  howToRead,
  isCompressed,
  isRecord,
  parseObject,
  peek,
  unreadMembers,
} from '@tollgate/traffic/reading';
import { openFile } from './open-file.ts';
import { INFLATERS } from './read-traffic.ts';

/** What the beginning of a file says about it. */
export interface InspectedFile {
  readonly format: TrafficFormat;
  /** Whether each line is wrapped in a line of another program. */
  readonly isWrapped: boolean;
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
  /** Its beginning, decompressed. */
  readonly head: Uint8Array;
}

/** Returns the members that a mapping does not read in the first lines of a file, and what they seem to hold; undefined if the file is not JSON lines. */
export async function unreadMembersIn(file: string, options: ReadTrafficOptions): Promise<UnreadMembers | undefined> {
  const found = await inspectTraffic(file, options);
  if (found?.format !== 'json-lines' || found.isWrapped) return undefined;
  const lines = bytesToUtf8(found.head).split('\n').slice(0, INSPECTED_LINES);
  const records = lines.map(parseObject).filter(record => record !== undefined);
  return unreadMembers(records, options.mapping ?? {});
}

/** Enough to see the values of every member. */
const INSPECTED_LINES = 200;

/** Inspects a file; returns undefined if it is not a regular file of recorded traffic. */
export async function inspectTraffic(file: string, options: ReadTrafficOptions): Promise<InspectedFile | undefined> {
  if (file === '-' || options.content !== undefined) return undefined;
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const magic = await magicOf(file);
    const source = await peek(decompress(openFile(file), file, INFLATERS), HEAD_BYTES);
    await source.close();
    const { head, isWhole } = source;
    const found = detectFormat({ bytes: head, isWhole, options: howToRead(options), format: options.format });
    if (found === undefined || source.failure !== undefined) return undefined;
    const compression = !isCompressed(magic) ? 'uncompressed' : magic[0] === 0x1f ? 'gzip' : 'zstd';
    return { format: found.format.name, isWrapped: found.wrapper !== undefined, compression, head };
  } catch {
    // Reading it as traffic reports the error.
    return undefined;
  }
}

async function magicOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What an engine takes for granted about every line. */
export interface LineExpectations {
  /** Longest line in bytes. */
  readonly maxLineLength: number;
  /** Members with an object of headers. */
  readonly objects: readonly string[];
  /** The spelling of each header that is read in them, by its name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Members in which null is not the same as no value. */
  readonly nullable: readonly string[];
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** The lines of a file that an engine reads as `JSON.parse` does, or the first line that it may not. */
export type LineAudit =
  | {
      readonly kind: 'fit';
      readonly records: number;
      /** One-based numbers of empty lines. */
      readonly empty: readonly number[];
    }
  | {
      readonly kind: 'unfit';
      readonly line: number;
      readonly problem: string;
      /** It only matters if headers are read one by one. */
      readonly isInHeaders: boolean;
    };

/** More empty lines are not worth the memory. */
const MAX_EMPTY = 1_000_000;
const BRACE = 0x7b;
const CARRIAGE_RETURN = 0x0d;

/**
 * Looks for lines that engines read otherwise than `JSON.parse`: engines accept trailing commas and NaN, distinguish the case of header names, and
 * read null as absent. One regular expression over the bytes finds candidates, which are then parsed.
 */
export async function auditJsonLines(file: string, expected: LineExpectations): Promise<LineAudit> {
  const audit = new Audit(expected);
  let rest = '';
  for await (const chunk of decompress(openFile(file, expected.onBytes), file, INFLATERS)) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (rest.length > expected.maxLineLength) return audit.tooLong();
    const problem = audit.read(text.slice(0, end));
    if (problem !== undefined) return problem;
  }
  return (rest === '' ? undefined : audit.read(`${rest}\n`)) ?? audit.result();
}

class Audit {
  readonly #expected: LineExpectations;
  readonly #candidate: RegExp;
  readonly #empty: number[] = [];
  #lines = 0;

  constructor(expected: LineExpectations) {
    this.#expected = expected;
    this.#candidate = candidatePattern(expected);
  }

  /** Reads complete lines, each byte a unit. */
  read(text: string): LineAudit | undefined {
    const first = this.#lines;
    for (let start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
      this.#lines++;
      if (end - start > this.#expected.maxLineLength) return this.#unfit({ problem: 'is too long' });
      if (text.charCodeAt(start) === BRACE) continue;
      const isEmpty = end === start || (end === start + 1 && text.charCodeAt(start) === CARRIAGE_RETURN);
      if (!isEmpty) return this.#unfit({ problem: 'does not begin with `{`' });
      if (this.#empty.push(this.#lines) > MAX_EMPTY) return this.#unfit({ problem: 'is one of too many empty lines' });
    }
    return this.#readCandidates(text, first);
  }

  #readCandidates(text: string, first: number): LineAudit | undefined {
    this.#candidate.lastIndex = 0;
    for (let match = this.#candidate.exec(text); match !== null; match = this.#candidate.exec(text)) {
      const start = text.lastIndexOf('\n', match.index) + 1;
      const end = text.indexOf('\n', match.index);
      const problem = problemOf(Buffer.from(text.slice(start, end), 'latin1').toString(), this.#expected);
      if (problem !== undefined) return this.#unfit(problem, first + linesIn(text.slice(0, start)) + 1);
      this.#candidate.lastIndex = end;
    }
    return undefined;
  }

  tooLong(): LineAudit {
    this.#lines++;
    return this.#unfit({ problem: 'is too long' });
  }

  #unfit(problem: LineProblem, line = this.#lines): LineAudit {
    return { kind: 'unfit', line, isInHeaders: false, ...problem };
  }

  result(): LineAudit {
    return { kind: 'fit', records: this.#lines - this.#empty.length, empty: this.#empty };
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** What may make a line unfit. It also matches inside strings, which is why each match is parsed. */
function candidatePattern({ headers, objects, nullable }: LineExpectations): RegExp {
  const space = '[ \\t\\r]*';
  const names = [...headers].map(([name, spelling]) => `"(?!${escaped(spelling)}")${anyCase(name)}"`);
  const nulls = [...headers.values(), ...nullable].map(escaped);
  const parts = [
    `,${space}[}\\]]`,
    `[:,[]${space}-?(?:[nN][aA][nN]|[iI][nN][fF])`,
    ...names,
    ...(nulls.length > 0 ? [`"(?:${nulls.join('|')})"${space}:${space}null`] : []),
    ...(objects.length > 0 ? [`\\{${space}\\}`, '\\\\u00[2-7]'] : []),
  ];
  return new RegExp(parts.join('|'), 'g');
}

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

/** Why a line is unfit. */
interface LineProblem {
  readonly problem: string;
  readonly isInHeaders?: true;
}

function problemOf(line: string, { objects, headers, nullable }: LineExpectations): LineProblem | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return { problem: 'is not strict JSON' };
  }
  if (!isRecord(record)) return { problem: 'is not an object' };
  for (const name of nullable)
    if (Object.hasOwn(record, name) && record[name] === null) return { problem: `has \`${name}\`: null` };
  for (const name of objects) {
    const held = Object.hasOwn(record, name) ? record[name] : undefined;
    if (!isRecord(held)) continue;
    const keys = Object.keys(held);
    if (keys.length === 0) return { problem: `has no header in \`${name}\``, isInHeaders: true };
    for (const key of keys) {
      const spelling = headers.get(key.toLowerCase());
      if (spelling === undefined) continue;
      if (spelling !== key) return { problem: `spells the header \`${spelling}\` as \`${key}\``, isInHeaders: true };
      if (held[key] === null) return { problem: `has the header \`${key}\`: null`, isInHeaders: true };
    }
  }
  return undefined;
}
