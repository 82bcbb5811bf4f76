import { displayWidth } from '@tollgate/diagnostics';

/** Breaks a paragraph into lines of at most `width` columns, between words; a longer word stands alone on its line. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapWords(
    text.split(/\s+/).filter(part => part !== ''),
    width,
  );
}

/** As {@link wrapText}, of words that may hold blanks. */
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
