import { EDGE_V2, EDGE_V2_SNAKE, MODERN, type Profile } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';

/** The profile that a document is written for, as far as its text tells. */
export interface DetectedProfile {
  readonly profile: Profile;
  /** What told it; undefined where nothing did, and the oldest profile is taken. */
  readonly evidence: Range | undefined;
  /** It is a key that only this profile has. */
  readonly isCertain: boolean;
}

/** A key: at the beginning of a line, behind a bracket or comma, in quotes or not. */
const MODERN_PHASE = /(?<=^|[\s{,"'])on_(?:tcp_connect|http_request|http_response|event_stream_message)(?=["']?\s*:)/m;
const CAPITAL_NAME = /\b(?:conn|req|res)\.[A-Z]\w*|\$\{\.[a-z]\w*/g;
/** Not behind a dot: `${.conn.client_ip}` is a template of the oldest dialect. */
const SNAKE_NAME = /(?<![\w.])(?:conn|req|res)\.[a-z]\w*/g;

/**
 * Tells the profile by what the dialects do not share: the names of the phases, then whether names are in capitals. Looks at the text
 * only, so that it works on documents with errors. Linear in its length.
 */
export function detectProfile(document: string): DetectedProfile {
  const phase = MODERN_PHASE.exec(document);
  if (phase) return { profile: MODERN, evidence: rangeOf(phase), isCertain: true };
  const misspelt = OLD_PHASE.test(document) ? undefined : misspeltPhase(document);
  if (misspelt) return misspelt;
  const capitals = [...document.matchAll(CAPITAL_NAME)];
  const snakes = [...document.matchAll(SNAKE_NAME)];
  const isSnake = snakes.length > capitals.length;
  const [first] = isSnake ? snakes : capitals;
  return { profile: isSnake ? EDGE_V2_SNAKE : EDGE_V2, evidence: first && rangeOf(first), isCertain: false };
}

const OLD_PHASE = /(?<=^|[\s{,"'])(?:inbound|outbound)(?=["']?\s*:)/m;
const OUTER_KEY = /^[ \t]{0,4}["']?(\w+)(?=["']?\s*:)/gm;
/** Keys that are looked at: a policy has few. */
const MOST_KEYS = 20;

/** The profile with a phase that an outer key is nearly the name of. */
function misspeltPhase(document: string): DetectedProfile | undefined {
  let count = 0;
  for (const match of document.matchAll(OUTER_KEY)) {
    const [whole, key = ''] = match;
    const found = nearest(key, [...MODERN.phases, ...EDGE_V2.phases]);
    const end = match.index + whole.length;
    if (found !== undefined && MODERN.phases.some(phase => phase === found))
      return { profile: MODERN, evidence: { start: end - key.length, end }, isCertain: true };
    if (found !== undefined || ++count === MOST_KEYS) return undefined;
  }
  return undefined;
}

function rangeOf({ index, 0: text }: RegExpExecArray): Range {
  return { start: index, end: index + text.length };
}
