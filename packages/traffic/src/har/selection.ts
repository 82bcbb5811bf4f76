/** What to extract from a JSON value. */
export interface Selection {
  /** Extracts the value as a record. */
  readonly record?: RecordKind;
  /** What to extract from the members of an object; the others are omitted. */
  readonly members?: ReadonlyMap<string, Selection>;
  /** What to extract from each item of a list. */
  readonly items?: Selection;
  /** What to extract from everything below. */
  readonly all?: Selection;
}

/** The kinds of values that are extracted from a HAR file. */
export type RecordKind = 'entry' | 'creator';

/** Extracts nothing. */
export const NOTHING: Selection = {};

const WHOLE: Selection = {
  get all() {
    return WHOLE;
  },
};

function members(selections: Readonly<Record<string, Selection>>): Selection {
  return { members: new Map(Object.entries(selections)) };
}

function whole(...names: readonly string[]): Readonly<Record<string, Selection>> {
  return Object.fromEntries(names.map(name => [name, WHOLE]));
}

const REQUEST = members(whole('method', 'url', 'httpVersion', 'headers', 'cookies'));
const RESPONSE = members(whole('status', 'httpVersion', 'headers', 'bodySize', '_transferSize'));
const ENTRY = members({
  ...whole('startedDateTime', 'serverIPAddress', '_serverPort', '_fromCache', '_securityDetails'),
  request: REQUEST,
  response: RESPONSE,
});

/** What is read from a HAR file: its creator, and its entries without bodies and without what browsers add. */
export const HAR: Selection = members({
  log: members({ creator: { ...WHOLE, record: 'creator' }, entries: { items: { ...ENTRY, record: 'entry' } } }),
});
