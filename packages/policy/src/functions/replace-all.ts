/** One match of a pattern in a text. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** By number, 0 for the whole; undefined where a group took no part. */
  readonly group: (number: number) => string | undefined;
  /** By name; undefined for a name that the pattern does not have. */
  readonly named: (name: string) => string | undefined;
}

/** Gives the matches of a pattern from left to right, without overlap, empty ones too. */
export type FindMatches = (text: string) => Iterable<PatternMatch>;

/**
 * Replaces every match as Go's `Regexp.ReplaceAllString` does: an empty match right after the previous match is passed over, and
 * the replacement is expanded by {@link expandTemplate}.
 */
export function replaceAll(text: string, find: FindMatches, template: string): string {
  let result = '';
  let end = 0;
  let isFirst = true;
  for (const match of find(text)) {
    if (match.start === match.end && match.end === end && !isFirst) continue;
    result += text.slice(end, match.start) + expandTemplate(template, match);
    end = match.end;
    isFirst = false;
  }
  return result + text.slice(end);
}

/** Of a template that is ASCII, the same: V8 takes 0.3 ms to read which characters of all scripts are letters. */
const IN_ASCII = /\$\$|\$(\w+)|\$\{(\w+)\}/g;
const inAnyScript = () => /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}/gu;

/**
 * Puts groups in place of `$1`, `${1}`, `$name` and `${name}`, as Go's `Regexp.Expand` does: the longest run of word characters is
 * the name, so `$1x` is the group named `1x`; a group that does not exist is empty; `$$` is a dollar sign, and any other
 * `$` stands for itself.
 */
export function expandTemplate(template: string, match: PatternMatch): string {
  const references = /[\u0080-\uffff]/.test(template) ? inAnyScript() : IN_ASCII;
  return template.replace(references, (written: string, bare?: string, braced?: string) => {
    const name: string | undefined = bare ?? braced;
    if (name === undefined) return written === '$$' ? '$' : written;
    return (/^[0-9]+$/.test(name) ? match.group(Number(name)) : match.named(name)) ?? '';
  });
}
