import type { TrafficBatch } from '../exchange/batch.ts';
import type { ConnectionFacts, Exchange, HeaderFacts, ResponseFacts, TlsFacts } from '../exchange/exchange.ts';
import type { GeoFacts, LocateAddress } from '../exchange/geo-facts.ts';
import type { RecordLocation } from '../exchange/record-location.ts';

/** Returns a batch whose exchanges have locations. */
export function located(batch: TrafficBatch, locate: LocateAddress): TrafficBatch {
  return { ...batch, exchanges: batch.exchanges.map(exchange => new LocatedExchange(exchange, locate)) };
}

/** An exchange that looks up its client's location on demand. Recorded values take precedence. */
class LocatedExchange implements Exchange {
  readonly #recorded: Exchange;
  readonly #locate: LocateAddress;

  constructor(recorded: Exchange, locate: LocateAddress) {
    this.#recorded = recorded;
    this.#locate = locate;
  }

  get geo(): GeoFacts | undefined {
    const { geo, clientIp } = this.#recorded;
    if (clientIp === undefined) return geo;
    const found = this.#locate(clientIp);
    if (geo === undefined) return found;
    const recorded = Object.entries(geo).filter(([, value]) => value !== undefined);
    return { ...found, ...Object.fromEntries(recorded) };
  }

  get place(): RecordLocation {
    return this.#recorded.place;
  }

  get time(): number | undefined {
    return this.#recorded.time;
  }

  get clientIp(): string | undefined {
    return this.#recorded.clientIp;
  }

  get connection(): ConnectionFacts | undefined {
    return this.#recorded.connection;
  }

  get tls(): TlsFacts {
    return this.#recorded.tls;
  }

  get method(): string | undefined {
    return this.#recorded.method;
  }

  get target(): string | undefined {
    return this.#recorded.target;
  }

  get url(): string | undefined {
    return this.#recorded.url;
  }

  get scheme(): string | undefined {
    return this.#recorded.scheme;
  }

  get hostName(): string | undefined {
    return this.#recorded.hostName;
  }

  get protocol(): string | undefined {
    return this.#recorded.protocol;
  }

  get requestHeaders(): HeaderFacts {
    return this.#recorded.requestHeaders;
  }

  get response(): ResponseFacts | undefined {
    return this.#recorded.response;
  }
}
