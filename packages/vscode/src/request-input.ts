// What people type or paste as the request to trace.

import { Buffer } from 'node:buffer';

/** A request as arguments of `tollgate trace`, or why it cannot be read. */
type ParsedRequest = { readonly args: readonly string[] } | { readonly problem: string };

/** Options of `tollgate trace` that describe a request; each takes a value except `--incomplete`. */
const OPTIONS = new Set([
  ...['-X', '--method', '-H', '--header', '-d', '--data', '--url', '--protocol', '--client-ip', '--country', '--geo'],
  ...['--tls', '--status', '--response-header', '--time', '--request', '-r', '--seed', '--origin', '--incomplete'],
]);
const FLAGS = new Set(['--incomplete']);

/**
 * Reads a request: a URL, options of `tollgate trace` that describe a request, such as `-X POST -H 'X-Key: 1' https://shop.example/`, or a
 * command for curl, as browsers copy it. A word that is no option is the URL.
 */
export function parseRequest(line: string): ParsedRequest {
  const words = splitWords(line);
  if (!words) return { problem: 'unclosed quote' };
  if (words.length === 0) return { problem: 'enter a URL, such as https://shop.example/admin' };
  return words[0] === 'curl' ? parseCurl(words.slice(1)) : parseOwn(words);
}

function parseOwn(words: readonly string[]): ParsedRequest {
  const args: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (!word.startsWith('-') || word === '-') args.push('--url', word);
    else if (!OPTIONS.has(word)) return { problem: `\`${word}\` is not an option of a request` };
    else if (FLAGS.has(word)) args.push(word);
    else {
      index += 1;
      const value = words[index];
      if (value === undefined) return { problem: `\`${word}\` needs a value` };
      args.push(word, value);
    }
  }
  return { args };
}

/** What an option of curl with a value means for the request. */
const CURL_VALUES: ReadonlyMap<string, (value: string) => readonly string[]> = new Map(
  (
    [
      [['-X', '--request'], value => ['-X', value]],
      [['-H', '--header'], value => ['-H', value]],
      [['-A', '--user-agent'], value => ['-H', `User-Agent: ${value}`]],
      [['-e', '--referer'], value => ['-H', `Referer: ${value}`]],
      // Without `=`, it is a file with cookies.
      [['-b', '--cookie'], value => (value.includes('=') ? ['-H', `Cookie: ${value}`] : [])],
      [['-u', '--user'], value => ['-H', `Authorization: Basic ${Buffer.from(value).toString('base64')}`]],
      [['--oauth2-bearer'], value => ['-H', `Authorization: Bearer ${value}`]],
      [['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode'], value => ['-d', value]],
      [['--json'], value => ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json', '-d', value]],
      [['--url'], value => ['--url', value]],
      // They say how curl connects, not what it asks for.
      [
        ['-o', '--output', '-m', '--max-time', '--connect-timeout', '--retry', '-x', '--proxy', '-w', '--write-out'],
        () => [],
      ],
      [
        ['--cacert', '-E', '--cert', '--key', '--resolve', '--connect-to', '-c', '--cookie-jar', '--limit-rate'],
        () => [],
      ],
    ] as readonly (readonly [readonly string[], (value: string) => readonly string[]])[]
  ).flatMap(([names, meaning]) => names.map(name => [name, meaning] as const)),
);

/** What a flag of curl means for the request; most mean nothing. */
const CURL_FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['-I', ['-X', 'HEAD']],
  ['--head', ['-X', 'HEAD']],
  ['--http1.0', ['--protocol', 'HTTP/1.0']],
  ['--http1.1', ['--protocol', 'HTTP/1.1']],
  ['--http2', ['--protocol', 'HTTP/2.0']],
  ['--http3', ['--protocol', 'HTTP/3.0']],
  ...[
    '--compressed',
    '-k',
    '--insecure',
    '-s',
    '--silent',
    '-S',
    '--show-error',
    '-v',
    '--verbose',
    '-L',
    '--location',
  ].map((name): [string, readonly string[]] => [name, []]),
  ...['-i', '--include', '-f', '--fail', '-g', '--globoff', '-O', '-4', '-6', '--path-as-is', '-N', '--no-buffer'].map(
    (name): [string, readonly string[]] => [name, []],
  ),
]);

/** Reads the arguments of curl. */
function parseCurl(words: readonly string[]): ParsedRequest {
  const args: string[] = [];
  const rest = words.flatMap(separated);
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index]!;
    const [flag, meaning] = [CURL_FLAGS.get(word), CURL_VALUES.get(word)];
    if (!word.startsWith('-')) args.push('--url', word);
    else if (flag) args.push(...flag);
    else if (!meaning) return { problem: `\`${word}\` of curl is not known here; remove it` };
    else {
      index += 1;
      const value = rest[index];
      if (value === undefined) return { problem: `\`${word}\` needs a value` };
      args.push(...meaning(value));
    }
  }
  return args.includes('--url') ? { args } : { problem: 'the command has no URL' };
}

/** `-XPOST` is `-X POST`, and `-sSL` is `-s -S -L`. */
function separated(word: string): readonly string[] {
  const short = /^-[^-]./.test(word) ? word.slice(0, 2) : undefined;
  if (short === undefined || (!CURL_VALUES.has(short) && !CURL_FLAGS.has(short))) return [word];
  return CURL_VALUES.has(short) ? [short, word.slice(2)] : [short, ...separated(`-${word.slice(2)}`)];
}

/** Splits a line as a shell does, without expansions; undefined if a quote is not closed. A field for one line has no line breaks. */
function splitWords(pasted: string): readonly string[] | undefined {
  const line = pasted
    .replaceAll(/(^|\s)\\[ \t]*(?:\r?\n|\s|$)/g, '$1 ')
    .replaceAll(/(^|\s)\$'((?:[^'\\]|\\[\s\S])*)'/g, quotedAnsi);
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

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Browsers write values with quotes or other letters as `$'…'`. */
function quotedAnsi(_: string, before: string, text: string): string {
  const plain = text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, u?: string, x?: string, one?: string) =>
      one === undefined ? String.fromCharCode(Number.parseInt(u ?? x ?? '', 16)) : (ESCAPES[one] ?? one),
  );
  return `${before}'${plain.replaceAll("'", `'\\''`)}'`;
}
