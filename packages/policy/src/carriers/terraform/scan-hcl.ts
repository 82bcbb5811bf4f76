/** Returns the offset after white space and comments; without line breaks if `isInLine`. */
export function skipSpace(text: string, from: number, isInLine = false): number {
  let at = from;
  while (at < text.length) {
    const rest = text[at]!;
    if (rest === ' ' || rest === '\t' || rest === '\r' || (rest === '\n' && !isInLine)) at += 1;
    else if (rest === '#' || text.startsWith('//', at)) at = endOfLine(text, at);
    else if (text.startsWith('/*', at)) at = endAfter(text, '*/', at + 2);
    else break;
  }
  return at;
}

/** Returns the offset of the line break at or after an offset, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Returns the offset after a quoted string that begins at `from`; strings end on their line, apart from templates in them. */
export function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') return at + 1;
    if (character === '\n') return at;
    if (character === '\\') at += 2;
    else if (isTemplate(text, at)) at = skipTemplate(text, at);
    else if (isEscapedTemplate(text, at)) at += 3;
    else at += 1;
  }
  return text.length;
}

/** Returns true if `${` or `%{` begins a template at the offset. */
export function isTemplate(text: string, at: number): boolean {
  return (text[at] === '$' || text[at] === '%') && text[at + 1] === '{';
}

/** Returns true for `$${` and `%%{`, which stand for `${` and `%{`. */
export function isEscapedTemplate(text: string, at: number): boolean {
  return isTemplate(text, at + 1) && text[at] === text[at + 1];
}

/** Returns the offset after a template that begins at `from`, such as `${var.name}`. */
export function skipTemplate(text: string, from: number): number {
  return skipBrackets(text, from + 1);
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Returns the offset after the bracket that closes the one at `from`. */
export function skipBrackets(text: string, from: number): number {
  const open: string[] = [];
  let at = from;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') at = skipString(text, at);
    else if (character === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) at = skipSpace(text, at);
    else {
      at += 1;
      if (Object.hasOwn(CLOSING, character)) open.push(CLOSING[character]!);
      else if (character === open.at(-1) && open.length === 1) return at;
      else if (character === open.at(-1)) open.pop();
    }
  }
  return text.length;
}
