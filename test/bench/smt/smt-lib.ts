import type { Graph, Meaning, Signal, Vocabulary } from '@tollgate/solver/engine';
import { patternToSmt, stringToSmt } from './re2-to-smt.ts';

/** Returns goals as a script of SMT-LIB that declares their values and asserts them; undefined if an atom has no counterpart there. */
export function goalsToSmt(vocabulary: Vocabulary, goals: readonly Signal[]): string | undefined {
  const script = new Script(vocabulary);
  const asserted = goals.map(goal => `(assert ${script.termOf(goal)})`);
  return script.isComplete ? [...script.declarations, ...asserted].join('\n') : undefined;
}

class Script {
  readonly declarations: string[] = [];
  isComplete = true;
  readonly #vocabulary: Vocabulary;
  readonly #graph: Graph;
  readonly #names = new Map<string, string>();
  readonly #gates = new Map<number, string>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#graph = vocabulary.graph;
  }

  termOf(signal: Signal): string {
    const own = this.#gateOf(Math.abs(signal));
    return signal < 0 ? `(not ${own})` : own;
  }

  #gateOf(at: number): string {
    const known = this.#gates.get(at);
    if (known !== undefined) return known;
    const gate = this.#graph.gateOf(at);
    const term = this.#termOfGate(at, gate);
    if (gate.kind !== 'and') {
      this.#gates.set(at, term);
      return term;
    }
    const name = `g${at}`;
    this.declarations.push(`(define-fun ${name} () Bool ${term})`);
    this.#gates.set(at, name);
    return name;
  }

  #termOfGate(at: number, gate: ReturnType<Graph['gateOf']>): string {
    switch (gate.kind) {
      case 'constant':
        return 'true';
      case 'and':
        return `(and ${gate.inputs.map(input => this.termOf(input)).join(' ')})`;
      case 'atom':
        return this.#atom(this.#vocabulary.meaningOf(at)) ?? this.#give();
    }
  }

  #give(): string {
    this.isComplete = false;
    return 'true';
  }

  #value(id: number, sort: string): string {
    const name = `v${id}`;
    if (!this.#names.has(name)) {
      this.#names.set(name, sort);
      this.declarations.unshift(`(declare-const ${name} ${sort})`);
      // Integers are those of 64 bits.
      if (sort === 'Int') this.declarations.splice(1, 0, `(assert ${rangeTerm(name, [-(2n ** 63n), 2n ** 63n - 1n])})`);
    }
    return name;
  }

  #atom(meaning: Meaning): string | undefined {
    const { id } = meaning.cell;
    switch (meaning.kind) {
      case 'language':
        return languageTerm(this.#value(id, 'String'), meaning.language.key);
      case 'integers': {
        const name = this.#value(id, 'Int');
        return either(meaning.set.map(range => rangeTerm(name, range)));
      }
      case 'residue': {
        const name = this.#value(id, 'Int');
        const { modulus, residue } = meaning;
        // The remainder has the sign of the dividend.
        return `(= (ite (>= ${name} 0) (mod ${name} ${modulus}) (- (mod (- ${name}) ${modulus}))) ${integer(residue)})`;
      }
      case 'same':
        if (meaning.index !== undefined || meaning.other.index !== undefined) return undefined;
        return `(= ${this.#value(id, 'String')} ${this.#value(meaning.other.cell.id, 'String')})`;
      case 'difference':
        return `(<= (- ${this.#value(id, 'Int')} ${this.#value(meaning.other.id, 'Int')}) ${integer(meaning.most)})`;
      case 'free':
        return this.#value(id, 'Bool');
      default:
        return undefined;
    }
  }
}

function languageTerm(name: string, key: string): string | undefined {
  const at = key.indexOf(':');
  const [kind, rest] = [key.slice(0, at), key.slice(at + 1)];
  switch (kind) {
    case 'prefix':
      return `(str.prefixof ${stringToSmt(rest)} ${name})`;
    case 'suffix':
      return `(str.suffixof ${stringToSmt(rest)} ${name})`;
    case 'part':
      return `(str.contains ${name} ${stringToSmt(rest)})`;
    case 'words':
      return either((JSON.parse(rest) as string[]).map(word => `(= ${name} ${stringToSmt(word)})`));
    case 'pattern':
      return `(str.in_re ${name} ${patternToSmt(rest)})`;
    case 'before':
      return `(str.< ${name} ${stringToSmt(rest)})`;
    default:
      return undefined;
  }
}

function rangeTerm(name: string, [first, last]: readonly [bigint, bigint]): string {
  return `(and (<= ${integer(first)} ${name}) (<= ${name} ${integer(last)}))`;
}

function integer(value: bigint): string {
  return value < 0n ? `(- ${-value})` : `${value}`;
}

function either(terms: readonly string[]): string {
  if (terms.length === 0) return 'false';
  return terms.length === 1 ? terms[0]! : `(or ${terms.join(' ')})`;
}
