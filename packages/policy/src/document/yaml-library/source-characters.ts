import type { Finding, Reporter } from '../model/reporter.ts';

/** YAML 1.2.2, section 5.1, except line breaks and unpaired surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Line breaks of YAML 1.1 that are ordinary characters in YAML 1.2. */
const OLD_LINE_BREAKS = /[\u0085\u2028\u2029]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\u0085': '\\N', '\u2028': '\\L', '\u2029': '\\P' };
const LONE_CARRIAGE_RETURN = /\r(?!\n)/g;
const BYTE_ORDER_MARK = /(?<!^)\ufeff/g;

/**
 * Returns the text as the YAML library can read it, with all offsets unchanged. Reports the characters that YAML
 * forbids, and those that parsers disagree about: two of them could read two different policies from one file.
 */
export function replaceUnreadable(text: string, reporter: Reporter): string {
  // The parser uses some of these characters as tokens, so it must not see them.
  const readable = text.replace(FORBIDDEN, (character: string, offset: number) => {
    reporter.report(forbidden(character, offset));
    return '\ufffd';
  });
  for (const { index } of text.matchAll(BYTE_ORDER_MARK)) reporter.report(byteOrderMark(index));
  for (const { 0: character, index } of text.matchAll(OLD_LINE_BREAKS)) reporter.report(oldLineBreak(character, index));
  const carriageReturns = [...text.matchAll(LONE_CARRIAGE_RETURN)].map(({ index }) => index);
  if (carriageReturns.length === 0) return readable;
  reporter.report(carriageReturn(carriageReturns));
  // The library treats it as an ordinary character, contrary to YAML 1.2 (section 5.4).
  return readable.replace(LONE_CARRIAGE_RETURN, '\n');
}

/** Only the first is shown: all have the same cause. */
function carriageReturn(offsets: readonly number[]): Finding {
  const range = { start: offsets[0]!, end: offsets[0]! + 1 };
  const others = offsets.length > 1 ? `, the first of ${offsets.length}` : '';
  const edits = offsets.map(start => ({ range: { start, end: start + 1 }, newText: '\n' }));
  return {
    code: 'yaml/lone-carriage-return',
    message: `carriage return without a line feed${others}; end lines with a line feed, or write \`\\r\` in double quotes`,
    range,
    args: { count: offsets.length },
    fixes: [{ title: 'end these lines with a line feed', applicability: 'suggestion', edits }],
  };
}

function oldLineBreak(character: string, offset: number): Finding {
  const codePoint = codePointOf(character);
  return {
    code: 'yaml/ambiguous-line-break',
    message: `${codePoint} is a line break in YAML 1.1 only; remove it, or write \`${ESCAPES[character]}\` in double quotes`,
    ...removed(offset),
    args: { character: codePoint },
  };
}

/** Usually left by concatenating files; it becomes an invisible part of a string or key. */
function byteOrderMark(offset: number): Finding {
  return {
    code: 'yaml/byte-order-mark',
    message: 'invisible byte order mark inside the document; remove it',
    ...removed(offset),
    args: {},
  };
}

function removed(offset: number): Pick<Finding, 'range' | 'fixes'> {
  const range = { start: offset, end: offset + 1 };
  return { range, fixes: [{ title: 'remove it', applicability: 'suggestion', edits: [{ range, newText: '' }] }] };
}

function forbidden(character: string, offset: number): Finding {
  const codePoint = codePointOf(character);
  return {
    code: 'yaml/control-character',
    message: `control character ${codePoint} in the document; write it as an escape in double quotes`,
    range: { start: offset, end: offset + 1 },
    args: { character: codePoint },
  };
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
