/** Errors that a server with the settings of the suite never returns, each with where it is proved instead, or why it is not. */
export const ELSEWHERE: Readonly<Record<number, string>> = {
  225: 'settings.test.ts: with one request at a time',
  226: 'settings.test.ts: with a limit of rates',
  241: 'no request holds a time',
  446: 'for kinds of records that nothing refers to so far',
  2230: 'told as an unknown field: bodies of policies have two phases only',
  2235: 'no policy of the API is one of a cloud endpoint',
  2262: 'no policy of the API is one of an internal endpoint',
  2264: 'a body of 10,001 rules, that is also within the size that bodies may have, is no use to anyone',
  7114: 'settings.test.ts: with reservations asked for',
  7116: 'settings.test.ts: with reservations asked for',
  7117: 'settings.test.ts: with reservations asked for',
  9027: 'test/edge-server/hostile-policies.deep.test.ts: with a second of processor time',
  9026: 'for diagnostics of policies that are to come',
};
