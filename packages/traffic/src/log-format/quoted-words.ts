import { LogFormatError } from './log-variable.ts';

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the words of a configuration directive without their quotes. */
export function readQuoted(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]\S*))\s*/sy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new LogFormatError(`unclosed quote: \`${text.slice(at)}\``);
    words.push(match[3] ?? unescapeWord(match[1] ?? match[2]!));
  }
  return words;
}

function unescapeWord(text: string): string {
  return text.replace(/\\(['"\\nrt])/g, (_, letter: string) => CONTROL[letter] ?? letter);
}
