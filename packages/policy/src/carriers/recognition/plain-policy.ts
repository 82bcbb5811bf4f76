import { PROFILES } from '@tollgate/catalog';

const PHASES = [...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|');

/** A line at the margin, unless it is a comment. Strings and brackets of a policy are indented. */
const AT_MARGIN = /^[^\s#].*/gm;
/** What the lines at the margin of a policy are: phases without a value on their line, items of their lists, and `enabled`. */
const OF_POLICY = new RegExp(`^(?:(?:${PHASES}):[ ]*(?:[ ]#.*)?|-(?: .*)?|enabled:[ ]+(?:true|false)[ ]*)$`);
/** Only comments precede the first line at the margin. */
const BEGINNING = /^(?: *(?:#[^\n]*|\r)?\n)*[^\s#-]/;
const NO_CONTENT = / *(?:#[^\n]*)?\r?\n/y;
const ITEM = / *- /y;

/**
 * Returns true if the lines at the margin show that a YAML text is a policy as a whole. Most policies are recognized by it, without being read;
 * a text that has errors further inside is one, too.
 */
export function isPlainPolicy(text: string): boolean {
  if (text.includes('{{') || !BEGINNING.test(text) || !/\bactions:/.test(text)) return false;
  let hasRules = false;
  for (const { 0: line, index } of text.matchAll(AT_MARGIN)) {
    if (!OF_POLICY.test(line)) return false;
    // `inbound` and `outbound` are keys of other files, too.
    hasRules ||= line.startsWith('on_') && isItem(text, index + line.length);
  }
  return hasRules;
}

/** Returns true if the first line with content below an offset begins an item. */
function isItem(text: string, offset: number): boolean {
  let at = text.indexOf('\n', offset) + 1;
  if (at === 0) return false;
  NO_CONTENT.lastIndex = at;
  while (NO_CONTENT.test(text)) at = NO_CONTENT.lastIndex;
  ITEM.lastIndex = at;
  return ITEM.test(text);
}
