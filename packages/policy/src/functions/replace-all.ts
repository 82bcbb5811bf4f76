/** A match of a pattern in a string. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** A capture group by number, 0 for the whole match; undefined if it did not participate. */
  readonly group: (number: number) => string | undefined;
  /** A capture group by name; undefined if the pattern has no such group. */
  readonly named: (name: string) => string | undefined;
}

/** Returns the matches of a pattern from left to right, without overlap, including empty ones. */
export type FindMatches = (text: string) => Iterable<PatternMatch>;

/**
 * Replaces every match like Go's `Regexp.ReplaceAllString`: an empty match right after the previous match is skipped, and
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

/** The same for ASCII templates: V8 takes 0.3 ms to load the tables of Unicode letters. */
const IN_ASCII = /\$\$|\$(\w+)|\$\{(\w+)\}/g;
const inAnyScript = () => /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}/gu;

/**
 * Substitutes groups for `$1`, `${1}`, `$name` and `${name}` like Go's `Regexp.Expand`: the longest run of word characters is
 * the name, so `$1x` is the group named `1x`; a group that does not exist is empty; `$$` is a dollar sign, and any other
 * `$` is literal.
 */
function expandTemplate(template: string, match: PatternMatch): string {
  const references = /[\u0080-\uffff]/.test(template) ? inAnyScript() : IN_ASCII;
  return template.replace(references, (written: string, bare?: string, braced?: string) => {
    const name: string | undefined = bare ?? braced;
    if (name === undefined) return written === '$$' ? '$' : written;
    return (/^[0-9]+$/.test(name) ? match.group(Number(name)) : match.named(name)) ?? '';
  });
}
