import { type EndpointKind, type Phase, type Profile, type ValueRole, variablesAt } from '@tollgate/catalog';
import { parseIp } from '@tollgate/cel/tooling';
import type { PhaseEnvironments } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { Budget, POLICY_UNITS, QUESTION_UNITS, type Spending } from '../logic/budget.ts';
import { type Condition, decided, Graph, type Signal } from '../logic/formula.ts';
import { search } from '../logic/search.ts';
import type { ReadingContext, SharedNames } from '../reader/reader-context.ts';
import { ADDRESS_KEY } from '../theory/strings.ts';
import { TrafficTheory } from '../theory/traffic-theory.ts';
import { isAboutUrl } from '../theory/url-relation.ts';
import { type Cell, type CellValue, cellsOf, type Universe, Vocabulary } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import { type Language, patternLanguage, sizeLanguage } from '../values/language.ts';
import { LOWER_ASCII, mappingFunction, UPPER_ASCII, unicodeMapping } from '../values/preimages.ts';
import { exchangesWith } from './exchange.ts';

/** What policies are written for. */
export interface PolicyContext {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: PhaseEnvironments;
}

/** The answer to whether formulas can hold together. */
export type Answer =
  /** Exchanges on which they should hold, the likeliest first; only the simulator can tell, because parts may not be modelled. */
  | {
      readonly kind: 'found';
      readonly exchanges: readonly [Exchange, ...Exchange[]];
      /** The expressions that are not interpreted and were assumed to have some value. */
      readonly assumed: readonly string[];
    }
  /** Those of the formulas that contradict each other. */
  | { readonly kind: 'impossible'; readonly needed: readonly Signal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Values that formulas can be tried on. Values that nothing was asked about are ordinary ones. */
export interface Sample {
  readonly holds: (signal: Signal) => boolean;
  /** Undefined if the cell has no value. */
  readonly valueAt: (cell: Cell) => CellValue | undefined;
  /** The cells that the question was about. */
  readonly stated: ReadonlySet<Cell>;
}

/** Values under which formulas hold together, or why there are none. */
type SampleAnswer = { readonly kind: 'found'; readonly sample: Sample } | Exclude<Answer, { readonly kind: 'found' }>;

/** Options of {@link SolverSession}. */
interface SessionOptions {
  /** What all questions are charged to, instead of a budget for a policy. */
  readonly spending?: Spending;
  /** Called when a question stays open because it is too large. */
  readonly onOpen?: () => void;
  /** `any`: proofs are about malformed traffic too. */
  readonly traffic?: Traffic;
  /** A session about policies of another profile that reads the same values. */
  readonly other?: SolverSession;
  /** How the values are called in both. */
  readonly names?: SharedNames;
}

/** Conditions, answers and lemmas that questions about policies share. */
export class SolverSession {
  readonly context: PolicyContext;
  readonly vocabulary: Vocabulary;
  readonly #theory: TrafficTheory;
  readonly #names: SharedNames | undefined;
  readonly #budget: Spending;
  readonly #onOpen: (() => void) | undefined;
  readonly #readings = new Map<Phase, Omit<ReadingContext, 'versionOf'>>();
  readonly #knowsNames: boolean;
  readonly #universeOf: ReadingContext['universeOf'];
  /** By signal. */
  readonly #free = new Map<Signal, boolean>();
  /** Whether an atom can hold and can fail. */
  readonly #openAtoms = new Map<Signal, boolean>();
  #mappings: ReadingContext['mappings'] | undefined;

  constructor(context: PolicyContext, options: SessionOptions = {}) {
    this.context = context;
    this.#names = options.names;
    const { other } = options;
    this.vocabulary = other === undefined ? new Vocabulary(new Graph()) : other.vocabulary;
    this.#theory = other === undefined ? new TrafficTheory(this.vocabulary) : other.#theory;
    this.#budget = other === undefined ? (options.spending ?? new Budget(POLICY_UNITS)) : other.#budget;
    this.#onOpen = options.onOpen;
    this.#knowsNames = options.traffic !== 'any';
    this.#universeOf = universes(this.vocabulary, options.traffic ?? 'well-formed');
  }

  /** Returns how expressions of a phase are read. */
  reading(phase: Phase): Omit<ReadingContext, 'versionOf'> {
    let reading = this.#readings.get(phase);
    if (reading === undefined) {
      const { profile, endpoint } = this.context;
      const variables = variablesAt(profile, { endpoint, phase });
      this.#mappings ??= mappings();
      reading = {
        vocabulary: this.vocabulary,
        profile,
        facts: new Map(variables.map(fact => [fact.path, fact])),
        volatile: new Set(profile.functions.filter(isVolatile).map(fact => fact.overloadId)),
        mappings: this.#mappings,
        universeOf: this.#universeOf,
        knowsNames: this.#knowsNames,
        ...(this.#names && { names: this.#names }),
      };
      this.#readings.set(phase, reading);
    }
    return reading;
  }

  /** Returns a condition about which nothing is known. */
  anyCondition(): Condition {
    const { vocabulary } = this;
    const key = vocabulary.unique();
    const cell = vocabulary.cell(key, () => ({
      sort: 'free',
      steps: [],
      role: undefined,
      version: '',
      universe: { preferred: [] },
    }));
    return decided(vocabulary.atom({ kind: 'free', cell }));
  }

  /** Looks for an exchange on which all formulas hold. */
  ask(goals: readonly Signal[]): Answer {
    const budget = this.#budgetFor(goals);
    const found = this.#search(goals, budget);
    if (found.kind !== 'found') return found;
    const exchanges = exchangesWith(this.#theory.valuesFor(found.literals, budget));
    const cells = found.literals.flatMap(literal => cellsOf(this.vocabulary.meaningOf(literal)));
    const assumed = cells.flatMap(cell => cell.uninterpreted ?? []);
    return { kind: 'found', exchanges, assumed: [...new Set(assumed)] };
  }

  /** Looks for values under which all formulas hold. */
  sample(goals: readonly Signal[]): SampleAnswer {
    const budget = this.#budgetFor(goals);
    const found = this.#search(goals, budget);
    if (found.kind !== 'found') return found;
    return { kind: 'found', sample: this.#theory.valuation(found.literals, budget) };
  }

  /** Returns formulas out of these that contradict each other; undefined if they can hold together or nothing is known. */
  contradiction(goals: readonly Signal[]): readonly Signal[] | undefined {
    const found = this.#search(goals, this.#budgetFor(goals));
    return found.kind === 'impossible' ? found.needed : undefined;
  }

  /** Returns true if a formula tests each value at most once, with either result, so that it can certainly hold. Cheaper than a question. */
  isFree(signal: Signal): boolean {
    let answer = this.#free.get(signal);
    if (answer === undefined) {
      answer = this.#collectFree(signal, new Set());
      this.#free.set(signal, answer);
    }
    return answer;
  }

  /** Returns true if formulas test different values, and each value as {@link isFree} says, so that they can have any results together. */
  areFree(signals: readonly Signal[]): boolean {
    const cells = new Set<Cell>();
    return signals.every(signal => this.#collectFree(signal, cells));
  }

  #collectFree(signal: Signal, cells: Set<Cell>): boolean {
    const gate = this.vocabulary.graph.gateOf(signal);
    if (gate.kind === 'constant') return false;
    if (gate.kind === 'and')
      return gate.inputs.length <= MAX_FREE && gate.inputs.every(input => this.#collectFree(input, cells));
    const read = cellsOf(this.vocabulary.meaningOf(signal));
    for (const tested of read.flatMap(own => own.computed?.operands.map(one => one.cell) ?? [own])) {
      const cell = isAboutUrl(tested) ? (this.vocabulary.received('url') ?? tested) : tested;
      if (cells.has(cell)) return false;
      cells.add(cell);
    }
    const atom = Math.abs(signal);
    let isOpen = this.#openAtoms.get(atom);
    if (isOpen === undefined) {
      isOpen = this.contradiction([atom]) === undefined && this.contradiction([-atom]) === undefined;
      this.#openAtoms.set(atom, isOpen);
    }
    return isOpen;
  }

  #budgetFor(goals: readonly Signal[]): Budget {
    this.#budget.spend(goals.length);
    return new Budget(QUESTION_UNITS, this.#budget);
  }

  #search(goals: readonly Signal[], budget: Budget): ReturnType<typeof search> {
    const found = search(this.vocabulary.graph, [...goals, ...this.vocabulary.facts()], this.#theory, budget);
    if (found.kind === 'unknown' && budget.isSpent) this.#onOpen?.();
    return found;
  }
}

/** Conjunctions of more formulas are not looked at. */
const MAX_FREE = 64;

function isVolatile({ opaque, implementation }: Profile['functions'][number]): boolean {
  return opaque !== undefined || implementation !== undefined;
}

/** By overload. */
const mappings = (): ReadingContext['mappings'] =>
  new Map([
    ['string_lower_ascii', mappingFunction(LOWER_ASCII)],
    ['string_upper_ascii', mappingFunction(UPPER_ASCII)],
    ['string_lower', mappingFunction(unicodeMapping('lower'))],
    ['string_upper', mappingFunction(unicodeMapping('upper'))],
  ]);

/** Visible characters; a field value may also have blanks inside. */
const VISIBLE = '!-~\\x{a1}-\\x{d7ff}\\x{e000}-\\x{10ffff}';

const HOST = "(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]*)?";

/** What well-formed traffic has, as RE2 patterns for whole values; the README of this package says why. */
const FORMS: Partial<Record<ValueRole, string>> = {
  method: "[!#$%&'*+.^_`|~0-9A-Za-z-]+",
  scheme: 'https?',
  host: HOST,
  path: '/(?s:.*)',
  url: `https?://${HOST}/[!"$-~]*`,
  'request-headers': `(?:[${VISIBLE}](?:[\\t ${VISIBLE}]*[${VISIBLE}])?)?`,
  'response-headers': `(?:[${VISIBLE}](?:[\\t ${VISIBLE}]*[${VISIBLE}])?)?`,
};

/** Ordinary values; addresses and names are those that RFC 5737, 3849 and 2606 reserve for documentation. */
const PREFERRED: Partial<Record<ValueRole, readonly string[]>> = {
  method: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'],
  scheme: ['https', 'http'],
  host: ['example.com', 'www.example.com'],
  path: ['/', '/index.html'],
  url: ['https://example.com/', 'http://example.com/'],
  'client-address': ['198.51.100.7', '203.0.113.7', '192.0.2.7', '2001:db8::7'],
  'country-code': ['DE', 'US', 'FR', ''],
  'request-headers': ['1', 'a', ''],
  'response-headers': ['1', 'a', ''],
  'query-parameters': ['1', 'a', ''],
  'tls-version': ['TLS 1.3', 'TLS 1.2', 'tls1.3', 'tls1.2'],
};

/** Ordinary values as RE2 patterns: on hosts that RFC 2606 reserves, and with characters that need no encoding. */
const ORDINARY: Partial<Record<ValueRole, readonly string[]>> = {
  host: ['(?:[a-z0-9-]+[.])*example[.]com'],
  path: ['/[a-z0-9._/-]*', '/[A-Za-z0-9._/-]*'],
  url: [
    'https://example[.]com/[a-z0-9._/-]*',
    'https://example[.]com/.*',
    'https?://(?:[a-z0-9-]+[.])*example[.]com/.*',
  ],
};

const STATUSES = Array.from({ length: 500 }, (_, at) => `${at + 100}`);

/** Which traffic proofs are about: well-formed traffic, or any with a valid client address. */
type Traffic = 'well-formed' | 'any';

/**
 * Returns what well-formed traffic has in values of a role, or in the elements of lists of that role. For any traffic, that is only what is
 * tried first.
 */
function universes(
  vocabulary: Vocabulary,
  traffic: Traffic,
): (role: ValueRole | undefined, steps: Universe['preferred'] | readonly (string | number)[]) => Universe {
  const known = new Map<string, Universe>();
  return (role, steps) => {
    const usual = (universe: Universe) => (traffic === 'any' ? { ...universe, isUsual: true } : universe);
    if (role === undefined) {
      const lengths = LENGTHS[String(steps.at(-1))];
      return lengths === undefined ? ANYTHING : usual(lengths);
    }
    if (role === 'request-cookies' || role === 'response-cookies') return cookieField(vocabulary, String(steps.at(-1)));
    let universe = known.get(role);
    if (universe === undefined) {
      universe = universeOf(vocabulary, role);
      if (role !== 'client-address') universe = usual(universe);
      // Without one, it is a slash.
      if (role === 'path')
        universe = { ...universe, always: sizeLanguage(vocabulary.language.bind(vocabulary), [[1n, INT64[1]]]) };
      known.set(role, universe);
    }
    return universe;
  };
}

/** What the edge passes on of cookies, whatever it receives (RFC 6265, section 4.1.1, with blanks and commas). */
const COOKIE_FORMS: Readonly<Record<string, readonly [form: string, preferred: string]>> = {
  name: ["[!#$%&'*+.^_`|~0-9A-Za-z-]+", 'a'],
  value: ['[ !#-:<-\\[\\]-~]*', '1'],
};

function cookieField(vocabulary: Vocabulary, field: string): Universe {
  const [form, preferred] = COOKIE_FORMS[field.toLowerCase()] ?? [];
  if (form === undefined || preferred === undefined) return ANYTHING;
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${form})\\z`);
  return language === undefined ? ANYTHING : { language, preferred: [preferred] };
}

const ANYTHING: Universe = { preferred: [] };
/** Of bodies, by the name of the variable: in the oldest profile, -1 stands for an unknown one. */
const LENGTHS: Readonly<Partial<Record<string, Universe>>> = {
  ContentLength: { integers: [[-1n, 2n ** 63n - 1n]], preferred: ['0', '1'] },
  content_length: { integers: [[0n, 2n ** 63n - 1n]], preferred: ['0', '1'] },
};

function universeOf(vocabulary: Vocabulary, role: ValueRole): Universe {
  const preferred = PREFERRED[role] ?? [];
  if (role === 'status') return { domain: STATUSES, integers: [[100n, 599n]], preferred: ['200', '404', '500'] };
  if (role === 'client-address') return { language: addresses(vocabulary), preferred };
  const form = FORMS[role];
  if (form === undefined) return { preferred };
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${form})\\z`);
  const ordinary = (ORDINARY[role] ?? []).flatMap(
    one => patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${one})\\z`) ?? [],
  );
  return language === undefined ? { preferred } : { language, preferred, ordinary };
}

function addresses(vocabulary: Vocabulary): Language {
  return vocabulary.language(ADDRESS_KEY, () => ({
    test: text => parseIp(text) !== undefined,
    samples: [],
  }));
}
