import type { Exchange } from '@tollgate/traffic';
import { splitUrl } from '../url/split-url.ts';
import type { KeyDimension, KeySummary } from './breakdown.ts';
import { FrequentKeys, type FrequentKeysData } from './frequent-keys.ts';

/** What {@link KeyTally} has counted, as plain data. */
export interface KeyTallyData {
  readonly keys: FrequentKeysData;
  readonly unknown: number;
}

/** Counts the values of one dimension where one rule matched. */
export class KeyTally {
  readonly keys = new FrequentKeys();
  #unknown = 0;

  /** Gives whether the key is new here. */
  add(key: string | undefined): boolean {
    if (key !== undefined) return this.keys.add(key);
    this.#unknown++;
    return false;
  }

  merge({ keys, unknown }: KeyTallyData): void {
    this.keys.merge(keys);
    this.#unknown += unknown;
  }

  data(): KeyTallyData {
    return { keys: this.keys.data(), unknown: this.#unknown };
  }

  summary(top: number): KeySummary {
    return { top: this.keys.top(top), distinct: this.keys.distinct, unknown: this.#unknown };
  }
}

/** How each dimension is read from an exchange. */
export const KEYS: Readonly<Record<KeyDimension, (exchange: Exchange) => string | undefined>> = {
  clients: exchange => exchange.clientIp,
  paths: pathOf,
  countries: countryOf,
};

/** By its code, where that is known; by its name otherwise. An empty text says that the address has none. */
function countryOf({ geo }: Exchange): string | undefined {
  const country = geo?.countryCode || geo?.country;
  return country === '' ? undefined : country;
}

/** The recorded path, as sent; its query would make nearly every one different. */
function pathOf({ target, url }: Exchange): string | undefined {
  const whole = target ?? url;
  if (whole === undefined) return undefined;
  if (!whole.startsWith('/')) return splitUrl(whole).path || '/';
  const query = whole.indexOf('?');
  return query < 0 ? whole : whole.slice(0, query);
}
