import { type EndpointKind, type Phase, type Profile, variablesAt } from '@tollgate/catalog';
import type { PhaseEnvironments } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { Budget, POLICY_UNITS, QUESTION_UNITS } from '../logic/budget.ts';
import { Graph, type Signal } from '../logic/graph.ts';
import { search } from '../logic/search.ts';
import type { ReadingContext } from '../reader/reader-context.ts';
import { exchangesWith } from '../request/exchange.ts';
import { universes } from '../request/universes.ts';
import { LOWER_ASCII, mappingFunction, UPPER_ASCII, unicodeMapping } from '../strings/preimages.ts';
import { TrafficTheory } from '../theory/traffic-theory.ts';
import { Vocabulary } from '../theory/vocabulary.ts';

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

/** Conditions, answers and lemmas that questions about policies share. */
export class Session {
  readonly context: PolicyContext;
  readonly vocabulary = new Vocabulary(new Graph());
  readonly #theory = new TrafficTheory(this.vocabulary);
  readonly #budget: Budget;
  readonly #questionUnits: number;
  readonly #readings = new Map<Phase, Omit<ReadingContext, 'versionOf'>>();
  readonly #universeOf = universes(this.vocabulary);
  #mappings: ReadingContext['mappings'] | undefined;

  constructor(context: PolicyContext, units: { readonly question?: number; readonly whole?: number } = {}) {
    this.context = context;
    this.#budget = new Budget(units.whole ?? POLICY_UNITS);
    this.#questionUnits = units.question ?? QUESTION_UNITS;
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
      };
      this.#readings.set(phase, reading);
    }
    return reading;
  }

  /** Looks for an exchange on which all formulas hold. */
  ask(goals: readonly Signal[]): Answer {
    const budget = new Budget(this.#questionUnits, this.#budget);
    const found = search(this.vocabulary.graph, goals, this.#theory, budget);
    if (found.kind !== 'found') return found;
    const exchanges = exchangesWith(this.#theory.valuesFor(found.literals, budget));
    const assumed = found.literals.flatMap(literal => this.vocabulary.meaningOf(literal).cell.uninterpreted ?? []);
    return { kind: 'found', exchanges, assumed: [...new Set(assumed)] };
  }
}

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
