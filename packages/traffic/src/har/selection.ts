/** What is taken of a JSON value. */
export interface Selection {
  /** Names a value that is given whole, as a record of its own. */
  readonly record?: RecordKind;
  /** What is taken of the members of an object. Of those that are not named nothing is. */
  readonly members?: ReadonlyMap<string, Selection>;
  /** What is taken of each item of a list. */
  readonly items?: Selection;
  /** What is taken of all that lies below. */
  readonly all?: Selection;
}

/** The values of a HAR file that are taken out of it. */
export type RecordKind = 'entry' | 'creator';

/** Nothing is taken. */
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

/** What is read of a HAR file: who made it, and of its entries all but bodies and what browsers add of their own. */
export const HAR: Selection = members({
  log: members({ creator: { ...WHOLE, record: 'creator' }, entries: { items: { ...ENTRY, record: 'entry' } } }),
});
