import { EDGE_V2, EDGE_V2_SNAKE, MODERN, type Profile } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';

/** The profile detected from the keys and names in a document. */
export interface DetectedProfile {
  readonly profile: Profile;
  /** The key or name it was detected from; undefined if there is none, which means the oldest profile. */
  readonly evidence: Range | undefined;
  /** True if the evidence is a key that only this profile has. */
  readonly isCertain: boolean;
}

/** A key, quoted or not, at the start of a line or after a bracket or comma. */
const MODERN_PHASE = /(?<=^|[\s{,"'])on_(?:tcp_connect|http_request|http_response|event_stream_message)(?=["']?\s*:)/m;
const CAPITAL_NAME = /\b(?:conn|req|res)\.[A-Z]\w*|\$\{\.[a-z]\w*/g;
/** Not after a dot: `${.conn.client_ip}` is a template of the oldest profile. */
const SNAKE_NAME = /(?<![\w.])(?:conn|req|res)\.[a-z]\w*/g;

/**
 * Detects the profile from the names of phases, then from the case of variable names. Works on the source text
 * alone, so also for documents with errors. Takes linear time.
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
/** Only this many keys are compared: a policy has few. */
const MAX_KEYS = 20;

/** The profile that has a phase whose name is similar to a top-level key. */
function misspeltPhase(document: string): DetectedProfile | undefined {
  let count = 0;
  for (const match of document.matchAll(OUTER_KEY)) {
    const [whole, key = ''] = match;
    const found = nearest(key, [...MODERN.phases, ...EDGE_V2.phases]);
    const end = match.index + whole.length;
    if (found !== undefined && MODERN.phases.some(phase => phase === found))
      return { profile: MODERN, evidence: { start: end - key.length, end }, isCertain: true };
    if (found !== undefined || ++count === MAX_KEYS) return undefined;
  }
  return undefined;
}

function rangeOf({ index, 0: text }: RegExpExecArray): Range {
  return { start: index, end: index + text.length };
}
