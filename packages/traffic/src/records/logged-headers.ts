/** Headers as recordings contain them: some by name, all in one object, and what stands for a header that was not sent. */
import { type HeaderFacts, type HeaderField, isSingle, mayBeSeveral, NO_HEADER_KNOWN } from '../exchange/exchange.ts';
import { isRecord, stringIn } from './field-values.ts';
import type { ReadState } from './refusals.ts';

/** What stands for a header that was not sent, in one recording. */
export interface Absence {
  /** Strings that mean it. */
  readonly absent: readonly string[];
  /** Strings that the server writes for it, and equally for a header with this value. */
  readonly unclear: readonly string[];
}

/** Logs of unknown servers, and records with names of their own: nearly all servers write one of these. */
export const USUAL_SIGNS: readonly string[] = ['-', ''];

/** Returns what stands for a header that was not sent: what the user says, or else the strings that the format uses, which are unclear. */
export function absenceOf(signs: readonly string[], said: readonly string[] | undefined): Absence {
  return said === undefined ? { absent: [], unclear: signs } : { absent: said, unclear: [] };
}

/** Logs of servers that write a dash for a header that was not sent. */
export const DASH: Absence = { absent: [], unclear: ['-'] };

/** Collects headers that are recorded one by one. */
export class LoggedHeaders {
  readonly #absence: Absence;
  readonly #isEachListed: boolean;
  readonly #state: ReadState;
  readonly #fields: HeaderField[] = [];
  readonly #absent: string[] = [];
  #unclear: Map<string, string> | undefined;

  /** @param isEachListed a header that was sent several times is recorded as often, so that values with commas are whole */
  constructor(absence: Absence, state: ReadState, isEachListed = false) {
    this.#absence = absence;
    this.#state = state;
    this.#isEachListed = isEachListed;
  }

  /**
   * Adds a header.
   * @param written its value as the server wrote it; undefined if it was not recorded
   * @param value its value if it was sent
   */
  add(name: string, written: string | undefined, value = written, absence = this.#absence): this {
    if (written === undefined || value === undefined) return this;
    if (saysNothing(name, written, { absence, state: this.#state, isEachListed: this.#isEachListed })) return this;
    if (absence.absent.includes(written)) this.#absent.push(name.toLowerCase());
    else if (absence.unclear.includes(written)) this.addUnclear(name, written);
    else if (!this.#isEachListed && mayBeSeveral(name, value)) this.addUnclear(name, fieldValue(value));
    else this.#fields.push({ name, value: fieldValue(value) });
    return this;
  }

  /** Adds a header that was sent with this value, whatever the server writes for one that was not. */
  addSent(name: string, value: string): void {
    this.#fields.push({ name, value: fieldValue(value) });
  }

  /** Adds a header that was not sent, if the server can know. */
  addNull(name: string): void {
    if (!(this.#state.isRefused && this.#state.isUnread)) this.#absent.push(name.toLowerCase());
  }

  /** Adds a header of which the recording shows only a part. */
  addUnclear(name: string, written: string): void {
    this.#unclear ??= new Map();
    this.#unclear.set(name.toLowerCase(), written);
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0 && this.#absent.length === 0 && this.#unclear === undefined;
  }

  /** Returns the headers, after those that are known from elsewhere. */
  facts(known: HeaderFacts = NO_HEADER_KNOWN): HeaderFacts {
    if (this.isEmpty) return known;
    return {
      fields: [...known.fields, ...this.#fields],
      absent: [...known.absent, ...this.#absent],
      complete: known.complete,
      withheld: known.withheld,
      ...unclearOf([...(known.unclear ?? NOTHING_UNCLEAR), ...(this.#unclear ?? [])]),
      ...(known.mayBeComplete && { mayBeComplete: true }),
    };
  }
}

/** Returns whether a server that stopped before the end of the headers may have written this of one that was sent, or sent with more values. */
function saysNothing(name: string, written: string, { absence, state, isEachListed }: WrittenBy): boolean {
  const isSign = absence.absent.includes(written) || absence.unclear.includes(written);
  return (isSign || !(isEachListed || isSingle(name))) && state.isRefused;
}

interface WrittenBy {
  readonly absence: Absence;
  readonly state: ReadState;
  readonly isEachListed: boolean;
}

/** Returns a value without the blanks and tabs around it, which are not part of it (RFC 9110, section 5.5); nginx logs the tabs. */
function fieldValue(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\t';
}

/** A header with a field of its own in records. */
export interface SeparateHeader<R> {
  readonly lowerCase: string;
  readonly name: string;
  /** Undefined if a record does not contain it. */
  readonly read: (record: R) => unknown;
  readonly absence?: Absence;
}

/** Headers in members of records that were not known when the mapping was prepared. */
export interface LateHeaders<R> {
  /** Returns the header in the member that usually holds one of this name; undefined if there is no such member. */
  readonly named: (lowerCase: string) => SeparateHeader<R> | undefined;
  /** Is told that all headers of a record are read. */
  readonly readAll: (record: R) => void;
}

/** What headers are read of. */
interface HeaderSource<R> {
  readonly record: R;
  readonly state: ReadState;
  readonly late: LateHeaders<R> | undefined;
}

/**
 * Headers with fields of their own. Each is read when it is looked up, because rules ask for few of them: an engine then tests every field by
 * itself, and not all combinations of their values. An object of headers takes precedence.
 */
export class SeparateHeaders<R> implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: boolean;
  readonly #record: R;
  readonly #headers: readonly SeparateHeader<R>[];
  readonly #known: HeaderFacts;
  readonly #absence: Absence;
  readonly #state: ReadState;
  readonly #late: LateHeaders<R> | undefined;
  /** Null until they are read. */
  #facts: HeaderFacts | null = null;

  constructor(
    { record, state, late }: HeaderSource<R>,
    headers: readonly SeparateHeader<R>[],
    known: HeaderFacts,
    absence: Absence,
  ) {
    this.#record = record;
    this.#state = state;
    this.#late = late;
    this.#headers = headers;
    this.#known = known;
    this.#absence = absence;
    this.complete = known.complete;
    if (known.mayBeComplete) this.mayBeComplete = true;
  }

  get withheld(): readonly string[] {
    return this.#known.withheld;
  }

  get fields(): readonly HeaderField[] {
    return this.#all.fields;
  }

  get absent(): readonly string[] {
    return this.#all.absent;
  }

  get unclear(): ReadonlyMap<string, string> {
    return this.#all.unclear ?? NOTHING_UNCLEAR;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    return valuesIn(this.#factsOf(lowerCase), lowerCase);
  }

  isAbsent(lowerCase: string): boolean {
    return isAbsentIn(this.#factsOf(lowerCase), lowerCase);
  }

  unclearOf(lowerCase: string): string | undefined {
    return unclearIn(this.#factsOf(lowerCase), lowerCase);
  }

  isWithheld(lowerCase: string): boolean {
    return isWithheldIn(this.#known, lowerCase);
  }

  get #all(): HeaderFacts {
    this.#late?.readAll(this.#record);
    this.#facts ??= this.#read(this.#headers.filter(({ lowerCase }) => !saysOf(this.#known, lowerCase))).facts(
      this.#known,
    );
    return this.#facts;
  }

  /** The facts that tell about one header. */
  #factsOf(lowerCase: string): HeaderFacts {
    if (saysOf(this.#known, lowerCase)) return this.#known;
    const headers = this.#headers.filter(header => header.lowerCase === lowerCase);
    const late = headers.length === 0 ? this.#late?.named(lowerCase) : undefined;
    const own = this.#read(late === undefined ? headers : [late]);
    return own.isEmpty ? this.#known : own.facts();
  }

  #read(headers: readonly SeparateHeader<R>[]): LoggedHeaders {
    const found = new LoggedHeaders(this.#absence, this.#state);
    for (const { name, read, absence } of headers) {
      const value = read(this.#record);
      if (value !== undefined) addValues(name, value, found, absence);
    }
    return found;
  }
}

/** What is recorded of the host of a request outside of its headers. */
export interface RecordedHost {
  /** It stands for a Host header that they lack. */
  readonly host: string | undefined;
  /** Whether the Host header that was sent may be another one than the recorded one. */
  readonly isHostChanged: boolean;
}

/** The headers of a request. What is recorded of its host elsewhere is read when its Host header is looked up. */
export class HeadersWithHost implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: boolean;
  readonly #recorded: RecordedHost;
  readonly #others: HeaderFacts;

  constructor(recorded: RecordedHost, others: HeaderFacts) {
    this.#recorded = recorded;
    this.#others = others;
    this.complete = others.complete;
    if (others.mayBeComplete) this.mayBeComplete = true;
  }

  get fields(): readonly HeaderField[] {
    const { fields } = this.#others;
    if (this.#recorded.isHostChanged) return fields.filter(({ name }) => !isName(name, 'host'));
    const { host } = this;
    return host === undefined ? fields : [{ name: 'Host', value: host }, ...fields];
  }

  get absent(): readonly string[] {
    const { absent } = this.#others;
    return this.#isTold('host') ? absent : absent.filter(name => name !== 'host');
  }

  get unclear(): ReadonlyMap<string, string> {
    const { unclear = NOTHING_UNCLEAR } = this.#others;
    return this.#isTold('host') ? unclear : new Map([...unclear].filter(([name]) => name !== 'host'));
  }

  get withheld(): readonly string[] {
    const { withheld } = this.#others;
    return this.#recorded.isHostChanged && !withheld.includes('host') ? [...withheld, 'host'] : withheld;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    if (lowerCase !== 'host') return valuesIn(this.#others, lowerCase);
    if (this.#recorded.isHostChanged) return undefined;
    const { host } = this;
    return host === undefined ? valuesIn(this.#others, lowerCase) : [host];
  }

  isAbsent(lowerCase: string): boolean {
    return this.#isTold(lowerCase) && isAbsentIn(this.#others, lowerCase);
  }

  unclearOf(lowerCase: string): string | undefined {
    return this.#isTold(lowerCase) ? unclearIn(this.#others, lowerCase) : undefined;
  }

  isWithheld(lowerCase: string): boolean {
    return (lowerCase === 'host' && this.#recorded.isHostChanged) || isWithheldIn(this.#others, lowerCase);
  }

  /** The host that stands for a header. */
  get host(): string | undefined {
    return valuesIn(this.#others, 'host') === undefined ? this.#recorded.host : undefined;
  }

  /** Whether the headers themselves tell about one. */
  #isTold(lowerCase: string): boolean {
    return lowerCase !== 'host' || !(this.#recorded.isHostChanged || this.host !== undefined);
  }
}

/** Returns the values of a header by its name in lower case; undefined if there are none. */
export function valuesIn(headers: HeaderFacts, lowerCase: string): string[] | undefined {
  if (headers.valuesOf !== undefined) return headers.valuesOf(lowerCase);
  let values: string[] | undefined;
  for (const { name, value } of headers.fields) {
    if (!isName(name, lowerCase)) continue;
    if (values === undefined) values = [value];
    else values.push(value);
  }
  return values;
}

function isAbsentIn(headers: HeaderFacts, lowerCase: string): boolean {
  return headers.isAbsent?.(lowerCase) ?? headers.absent.includes(lowerCase);
}

function isWithheldIn(headers: HeaderFacts, lowerCase: string): boolean {
  return headers.isWithheld?.(lowerCase) ?? headers.withheld.includes(lowerCase);
}

function unclearIn(headers: HeaderFacts, lowerCase: string): string | undefined {
  return headers.unclearOf === undefined ? headers.unclear?.get(lowerCase) : headers.unclearOf(lowerCase);
}

/** Returns whether headers say anything about one of them. */
function saysOf(headers: HeaderFacts, lowerCase: string): boolean {
  if (headers === NO_HEADER_KNOWN) return false;
  return (
    isAbsentIn(headers, lowerCase) ||
    unclearIn(headers, lowerCase) !== undefined ||
    valuesIn(headers, lowerCase) !== undefined
  );
}

/** Returns whether headers say anything at all. */
export function saysAnything(headers: HeaderFacts): boolean {
  if (headers === NO_HEADER_KNOWN) return false;
  const { complete, mayBeComplete, fields, absent, unclear = NOTHING_UNCLEAR } = headers;
  return complete || mayBeComplete === true || fields.length > 0 || absent.length > 0 || unclear.size > 0;
}

/** For headers of which each was recorded clearly. */
const NOTHING_UNCLEAR: ReadonlyMap<string, string> = new Map();

/** Returns the member of {@link HeaderFacts} for these headers. */
function unclearOf(entries: Iterable<readonly [name: string, written: string]>): Pick<HeaderFacts, 'unclear'> {
  const unclear = new Map(entries);
  return unclear.size === 0 ? {} : { unclear };
}

/** How headers are read from JSON. */
export interface JsonHeaderRules {
  /** Headers that are missing were not sent. */
  readonly complete: boolean;
  /** What a single string may stand for; those in lists were sent. */
  readonly absence: Absence;
  /** What stands for the value of a header that was sent and is withheld. Headers are then in an object. */
  readonly redacted?: string;
  /** In lower case: the headers that are not in a complete object even if they were sent. */
  readonly withheld?: readonly string[];
}

/**
 * Reads headers from JSON: an object from names to strings or lists of strings, in which null means that a header was not sent; or a list of
 * objects with `name` and `value`. Returns undefined for anything else.
 */
export function headersInJson(value: unknown, rules: JsonHeaderRules, state: ReadState): HeaderFacts | undefined {
  const { complete } = rules;
  if (isRecord(value)) {
    const headers = new JsonHeaders(value, rules, state);
    return complete || headers.saysAnything ? headers : NO_HEADER_KNOWN;
  }
  if (!Array.isArray(value) || rules.redacted !== undefined) return undefined;
  const headers = new LoggedHeaders(rules.absence, state, true);
  for (const member of value) if (isRecord(member)) addTexts(stringIn(member.name) ?? '', member.value, headers);
  return headers.facts(complete ? COMPLETE : headers.isEmpty ? NO_HEADER_KNOWN : MAY_BE_COMPLETE);
}

const COMPLETE: HeaderFacts = { ...NO_HEADER_KNOWN, complete: true };
const MAY_BE_COMPLETE: HeaderFacts = { ...NO_HEADER_KNOWN, mayBeComplete: true };

/** Adds the value of one header: a string, a list of strings, or null if it was not sent. */
function addValues(name: string, value: unknown, headers: LoggedHeaders, absence?: Absence): void {
  if (value === null) headers.addNull(name);
  else addTexts(name, value, headers, absence);
}

function addTexts(name: string, value: unknown, headers: LoggedHeaders, absence?: Absence): void {
  if (name === '') return;
  if (!Array.isArray(value)) headers.add(name, stringIn(value), undefined, absence);
  else
    for (const one of value) {
      const text = stringIn(one);
      if (text !== undefined) headers.addSent(name, text);
    }
}

/** Headers in an object by name. Few of them are needed, so a value is read where it is. */
class JsonHeaders implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: true;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #rules: JsonHeaderRules;
  readonly #absence: Absence;
  readonly #state: ReadState;
  /** Null until they are read. */
  #facts: HeaderFacts | null = null;

  constructor(record: Readonly<Record<string, unknown>>, rules: JsonHeaderRules, state: ReadState) {
    const { complete, absence } = rules;
    this.#record = record;
    this.#rules = rules;
    this.#state = state;
    this.#absence = absence;
    this.complete = complete;
    if (!complete) this.mayBeComplete = true;
  }

  get saysAnything(): boolean {
    for (const name in this.#record) {
      const value = this.#record[name];
      if (value === null || (name !== '' && stringIn(value) !== undefined)) return true;
      if (name !== '' && Array.isArray(value) && value.some(one => stringIn(one) !== undefined)) return true;
    }
    return false;
  }

  get fields(): readonly HeaderField[] {
    const { fields } = this.#all;
    const redacted = this.#redacted;
    return redacted.length === 0 ? fields : fields.filter(({ name }) => !redacted.includes(name.toLowerCase()));
  }

  get withheld(): readonly string[] {
    return this.complete ? [...(this.#rules.withheld ?? NO_NAMES), ...this.#redacted] : NO_NAMES;
  }

  isWithheld(lowerCase: string): boolean {
    if (!this.complete) return false;
    return this.#rules.withheld?.includes(lowerCase) === true || this.#isRedacted(this.#textsOf(lowerCase));
  }

  get #redacted(): readonly string[] {
    const { redacted } = this.#rules;
    if (redacted === undefined) return NO_NAMES;
    const found = this.#all.fields.filter(({ value }) => value === redacted).map(({ name }) => name.toLowerCase());
    return [...new Set(found)];
  }

  #isRedacted(values: readonly string[] | undefined): boolean {
    const { redacted } = this.#rules;
    return redacted !== undefined && values?.includes(redacted) === true;
  }

  get absent(): readonly string[] {
    const absent: string[] = [];
    for (const name in this.#record) {
      const value = this.#record[name];
      const isSign = this.#absence.absent.includes(stringIn(value) as string);
      if (value === null ? !this.#isUnread : isSign && !this.#state.isRefused) absent.push(name.toLowerCase());
    }
    return absent;
  }

  get unclear(): ReadonlyMap<string, string> {
    return this.#all.unclear ?? NOTHING_UNCLEAR;
  }

  unclearOf(lowerCase: string): string | undefined {
    for (const name in this.#record) {
      const text = stringIn(this.#record[name]);
      if (text === undefined || !isName(name, lowerCase) || this.#saysNothing(name, text)) continue;
      if (this.#absence.unclear.includes(text)) return text;
      if (this.#mayBeSeveral(name, text)) return fieldValue(text);
    }
    return undefined;
  }

  get #all(): HeaderFacts {
    if (this.#facts === null) {
      const headers = new LoggedHeaders(this.#absence, this.#state);
      for (const name in this.#record) addValues(name, this.#record[name], headers);
      this.#facts = headers.facts();
    }
    return this.#facts;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    const values = this.#textsOf(lowerCase);
    return this.#isRedacted(values) ? undefined : values;
  }

  #textsOf(lowerCase: string): string[] | undefined {
    let values: string[] | undefined;
    for (const name in this.#record) {
      if (!isName(name, lowerCase)) continue;
      const value = this.#record[name];
      if (Array.isArray(value)) for (const one of value) values = withText(values, stringIn(one));
      else {
        const text = stringIn(value);
        if (text !== undefined && this.#isSent(name, text)) values = withText(values, text);
      }
    }
    return values;
  }

  #isSent(name: string, text: string): boolean {
    const { absent, unclear } = this.#absence;
    const isValue = !absent.includes(text) && !unclear.includes(text) && !this.#mayBeSeveral(name, text);
    return isValue && !this.#saysNothing(name, text);
  }

  #saysNothing(name: string, text: string): boolean {
    return saysNothing(name, text, { absence: this.#absence, state: this.#state, isEachListed: false });
  }

  get #isUnread(): boolean {
    return this.#state.isRefused && this.#state.isUnread;
  }

  #mayBeSeveral(name: string, text: string): boolean {
    return !this.#absence.absent.includes(text) && mayBeSeveral(name, text);
  }
}

const NO_NAMES: readonly string[] = [];

function withText(values: string[] | undefined, text: string | undefined): string[] | undefined {
  if (text === undefined) return values;
  const value = fieldValue(text);
  if (values === undefined) return [value];
  values.push(value);
  return values;
}

/** Names of headers are compared without regard to the case of ASCII letters. */
function isName(name: string, lowerCase: string): boolean {
  if (name.length !== lowerCase.length) return false;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if ((unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit) !== lowerCase.charCodeAt(at)) return false;
  }
  return true;
}
