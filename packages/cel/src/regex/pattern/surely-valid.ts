/** Escapes of punctuation, of sets and of assertions. */
const ESCAPE = String.raw`\\(?:[dDsSwWbBAzafnrtv]|[!-\/:-@\[-\x60{-~])`;
/** Of ranges, only those that are the right way round at sight. */
const MEMBER = String.raw`a-z|A-Z|0-9|a-f|A-F|[\w !-,./:-@\x60{-~]|\\[dDsSwWnrt!-\/:-@\[-\x60{-~]`;
const CLASS = String.raw`\[\^?(?:${MEMBER})+-?\]`;
const QUANTIFIER = String.raw`(?:[*+?]\??)?`;
const PIECE = String.raw`(?:[\w !"#%&',./:;<=>@\x60~-]|${ESCAPE}|${CLASS})${QUANTIFIER}|[$^|]`;
const FLAGS = String.raw`\(\?[imsU]+\)`;
const inGroup = (body: string): string => String.raw`\((?:\?:)?(?:${body})*\)${QUANTIFIER}`;
const NESTED = `${PIECE}|${inGroup(PIECE)}`;

/** Which of the alternatives it is shows in the next character or two, so that this takes linear time. */
const SURE = new RegExp(`^(?:${PIECE}|${FLAGS}|${inGroup(NESTED)})*$`);

/** Longer patterns may exceed a bound. */
const LONGEST = 1000;

/**
 * Whether a regular expression is right beyond doubt, taken as RE2: letters, usual escapes and classes, groups in at most one other,
 * repetitions without counts. Most patterns are, and this takes a tenth of the time of reading them.
 */
export function isSurelyValid(pattern: string): boolean {
  return pattern.length <= LONGEST && SURE.test(pattern);
}
