import { type Exchange, type ExchangeRows, KeptByTexts, type RecordLocation } from '@tollgate/traffic';
import type { KeyDimension } from '../summary/breakdown.ts';
import { KEYS } from './key-dimensions.ts';

/** The countable parts of an exchange. */
export interface Counted {
  readonly place: RecordLocation;
  readonly time: number | undefined;
  readonly status: number | undefined;
  /** Whether a setting of the reader would show which headers were not sent. */
  mayHaveAllHeaders(message: 'request' | 'response'): boolean;
  /** Undefined if unknown. */
  keyOf(dimension: KeyDimension): string | undefined;
}

/** The countable parts of an exchange object. */
export class CountedExchange implements Counted {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get place(): RecordLocation {
    return this.#exchange.place;
  }

  get time(): number | undefined {
    return this.#exchange.time;
  }

  get status(): number | undefined {
    return this.#exchange.response?.status;
  }

  mayHaveAllHeaders(message: 'request' | 'response'): boolean {
    return mayHaveAllHeaders(this.#exchange, message);
  }

  keyOf(dimension: KeyDimension): string | undefined {
    return KEYS[dimension](this.#exchange);
  }
}

function mayHaveAllHeaders({ requestHeaders, response }: Exchange, message: 'request' | 'response'): boolean {
  return (message === 'request' ? requestHeaders : response?.headers)?.mayBeComplete === true;
}

/** What is counted of the row that it was moved to. */
export class CountedRow implements Counted {
  readonly #statuses = new KeptByTexts(({ response }) => response?.status ?? NONE);
  readonly #countries = new KeptByTexts(exchange => KEYS.countries(exchange) ?? NONE);
  #rows: ExchangeRows | undefined;
  #index = 0;

  moveTo(rows: ExchangeRows, index: number): this {
    this.#rows = rows;
    this.#index = index;
    return this;
  }

  get #exchange(): Exchange {
    return this.#rows!.moveTo(this.#index);
  }

  get place(): RecordLocation {
    return this.#exchange.place;
  }

  get time(): number | undefined {
    return this.#exchange.time;
  }

  get status(): number | undefined {
    const status = this.#statuses.at(this.#rows!, this.#index);
    return status === NONE ? undefined : status;
  }

  mayHaveAllHeaders(message: 'request' | 'response'): boolean {
    return mayHaveAllHeaders(this.#exchange, message);
  }

  keyOf(dimension: KeyDimension): string | undefined {
    if (dimension !== 'countries') return KEYS[dimension](this.#exchange);
    const country = this.#countries.at(this.#rows!, this.#index);
    return country === NONE ? undefined : country;
  }
}

const NONE = null;
