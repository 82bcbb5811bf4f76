/** A request as arguments of `tollgate trace`, or why it cannot be read. */
type ParsedRequest = { readonly args: readonly string[] } | { readonly problem: string };

/** Options of `tollgate trace` that describe a request; each takes a value except `--incomplete`. */
const OPTIONS = new Set([
  ...['-X', '--method', '-H', '--header', '-d', '--data', '--url', '--protocol', '--client-ip', '--country', '--geo'],
  ...['--tls', '--status', '--response-header', '--time', '--request', '-r', '--seed', '--origin', '--incomplete'],
]);
const FLAGS = new Set(['--incomplete']);

/**
 * Reads a request with curl-style options, such as `-X POST -H 'X-Key: 1' https://shop.example/`. A word that is no option is the URL. Only
 * options that describe a request are accepted.
 */
export function parseRequest(line: string): ParsedRequest {
  const words = splitWords(line);
  if (!words) return { problem: 'unclosed quote' };
  if (words.length === 0) return { problem: 'enter a URL, such as https://shop.example/admin' };
  const rest = words[0] === 'curl' ? words.slice(1) : words;
  const args: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index]!;
    if (!word.startsWith('-') || word === '-') args.push('--url', word);
    else if (!OPTIONS.has(word)) return { problem: `\`${word}\` is not an option of a request` };
    else if (FLAGS.has(word)) args.push(word);
    else {
      index += 1;
      const value = rest[index];
      if (value === undefined) return { problem: `\`${word}\` needs a value` };
      args.push(word, value);
    }
  }
  return { args };
}

/** Splits a line as a shell does, without expansions; undefined if a quote is not closed. */
function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const isEscape = character === '\\' && quote !== "'" && index + 1 < line.length;
    if (isEscape) {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
