import type { Exchange, RecordLocation } from '@tollgate/traffic';
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
    const { requestHeaders, response } = this.#exchange;
    return (message === 'request' ? requestHeaders : response?.headers)?.mayBeComplete === true;
  }

  keyOf(dimension: KeyDimension): string | undefined {
    return KEYS[dimension](this.#exchange);
  }
}
