import { displayWidth } from '@tollgate/diagnostics';

/** Breaks a paragraph between words into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapWords(
    text.split(/\s+/).filter(part => part !== ''),
    width,
  );
}

/** As {@link wrapText}, for words that may contain spaces. */
export function wrapWords(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}
