import type { LineToken, MemberPath } from './line-tokens.ts';
import { EDGE, EDGE_BYTES, FIELD_BYTES, ROW_HEAD_BYTES } from './walk-lines-code.ts';

/** Edges, places and text of tokens that are kept: of logs that are made to have ever new ones, most lines are parsed. */
export const MOST_EDGES = 4096;
export const MOST_PLACES = 4096;
export const MOST_TOKEN_BYTES = 512 * 1024;
/** Tokens that may come in one place; each is tried in turn. */
const MOST_CHOICES = 24;
const BLOCK = 16;

/** Where a graph of tokens is kept: offsets in a memory. */
interface GraphRoom {
  /** Four bytes for each place in a line. */
  readonly places: number;
  readonly edges: number;
  readonly texts: number;
  /** Four bytes for each field: its table. */
  readonly tables: number;
}

/** The number of the field that is a member of the record, or of an object in it; undefined where none is. */
type FieldOf = (member: MemberPath) => number | undefined;

/** Which tokens may follow each other in lines, as the walk over lines reads it. Grows by lines that are not among those. */
export class TokenGraph {
  readonly #memory: DataView;
  readonly #at: GraphRoom;
  readonly #fieldOf: FieldOf;
  /** By what stands before: the tokens that may come. */
  readonly #places = new Map<string, RecordLocation>();
  #edges = 0;
  #textBytes = 0;

  constructor(memory: ArrayBuffer, at: GraphRoom, fieldOf: FieldOf) {
    this.#memory = new DataView(memory);
    this.#at = at;
    this.#fieldOf = fieldOf;
    this.#locationOf(START);
  }

  /** Where the first token of a line is looked up. */
  get start(): number {
    return this.#at.places;
  }

  /** Adds a line; does nothing where there is no room. */
  add(tokens: readonly LineToken[]): void {
    let place = this.#locationOf(START);
    for (const token of tokens) {
      const { member } = token;
      if (this.#places.size >= MOST_PLACES) return;
      const next = this.#locationOf(member === undefined ? START : placeName(member, token.kind));
      if (!this.#connect(place, token, next)) return;
      place = next;
    }
  }

  /** Says of all tokens anew where their values belong. */
  refresh(): void {
    for (const { edges } of this.#places.values()) for (const edge of edges.values()) this.#writeFields(edge);
  }

  #locationOf(name: string): RecordLocation {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place: RecordLocation = { edges: new Map(), address: this.#at.places + 4 * this.#places.size };
    this.#places.set(name, place);
    return place;
  }

  #connect({ edges, address }: RecordLocation, token: LineToken, target: RecordLocation): boolean {
    if (edges.has(token.text)) return true;
    const bytes = Buffer.from(token.text, 'latin1');
    const room = bytes.length + BLOCK;
    const isFull = this.#edges >= MOST_EDGES || this.#textBytes + room > MOST_TOKEN_BYTES;
    if (isFull || edges.size >= MOST_CHOICES) return false;
    const edge: Edge = { address: this.#at.edges + this.#edges * EDGE_BYTES, token };
    const text = this.#at.texts + this.#textBytes;
    new Uint8Array(this.#memory.buffer).set(bytes, text);
    this.#edges++;
    this.#textBytes += room;
    this.#write(edge, EDGE.next, this.#memory.getUint32(address, true));
    this.#write(edge, EDGE.text, text);
    this.#write(edge, EDGE.blocks, bytes.length - (bytes.length % BLOCK));
    this.#write(edge, EDGE.ends, (1 << (bytes.length % BLOCK)) - 1);
    this.#write(edge, EDGE.length, bytes.length);
    this.#write(edge, EDGE.kind, token.kind);
    this.#write(edge, EDGE.constant, token.constant);
    this.#write(edge, EDGE.target, target.address);
    this.#writeFields(edge);
    this.#memory.setUint32(address, edge.address, true);
    edges.set(token.text, edge);
    return true;
  }

  #writeFields(edge: Edge): void {
    const { member, opens, closes } = edge.token;
    const field = member && this.#fieldOf(member);
    this.#write(edge, EDGE.field, inRow(field));
    this.#write(edge, EDGE.table, this.#at.tables + 4 * (field ?? 0));
    this.#memory.setBigUint64(edge.address + EDGE.bit, bitOf(field), true);
    const opened = opens && this.#fieldOf({ object: undefined, name: opens.name });
    this.#write(edge, EDGE.opens, inRow(opened));
    this.#write(edge, EDGE.opensAt, opens?.at ?? 0);
    this.#memory.setBigUint64(edge.address + EDGE.opensBit, bitOf(opened), true);
    this.#write(edge, EDGE.closes, inRow(closes && this.#fieldOf({ object: undefined, name: closes.name })));
    this.#write(edge, EDGE.closesAt, closes?.at ?? 0);
  }

  #write({ address }: Edge, offset: number, value: number): void {
    this.#memory.setUint32(address + offset, value, true);
  }
}

interface Edge {
  readonly address: number;
  readonly token: LineToken;
}

interface RecordLocation {
  readonly address: number;
  /** By the text of the token. */
  readonly edges: Map<string, Edge>;
}

const START = '';

/** What may come hangs on the member before, and on the sign that ends its value. */
function placeName({ object, name }: MemberPath, kind: number): string {
  return `${kind} ${object === undefined ? '' : JSON.stringify(object)} ${name}`;
}

function inRow(field: number | undefined): number {
  return field === undefined ? 0 : ROW_HEAD_BYTES + field * FIELD_BYTES;
}

function bitOf(field: number | undefined): bigint {
  return field === undefined ? 0n : 1n << BigInt(field);
}
