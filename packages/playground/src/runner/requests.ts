// Requests as people write them: curl commands, raw requests and URLs, one after the other.

import { ipVersion } from '@tollgate/diagnostics/portable';
import { testExchange } from '@tollgate/simulator';
import { type Exchange, isAuthority } from '@tollgate/traffic';

/** Text that is not a request. The message names its line. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** A request and where it is written. */
export interface WrittenRequest {
  /** One-based. */
  readonly line: number;
  /** A title for lists, such as `GET https://example.com/`. */
  readonly title: string;
  readonly exchange: Exchange;
}

/** The most requests in one list. */
const MAX_REQUESTS = 1000;

/**
 * Returns the requests of a text, separated by empty lines. Lines such as `# from: 203.0.113.9` say what a request itself does not.
 *
 * @throws {RequestError} at the first line that is not understood
 */
export function readRequests(text: string): readonly WrittenRequest[] {
  const blocks = blocksOf(text);
  if (blocks.length > MAX_REQUESTS)
    throw new RequestError(`expected at most ${MAX_REQUESTS} requests, found ${blocks.length}; replay them as a log`);
  return blocks.map((block, index) => {
    const described = describe(block);
    const { method = 'GET', url = '' } = described.request;
    return { line: block.line, title: `${method} ${url}`, exchange: exchangeOf(described, block, index + 1) };
  });
}

interface Block {
  readonly line: number;
  readonly lines: readonly string[];
}

/** Returns the requests: an empty line ends one, and so does the next curl command. Blocks of comments alone are left out. */
function blocksOf(text: string): readonly Block[] {
  const blocks: { line: number; lines: string[] }[] = [];
  let isContinued = false;
  let isOpen = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isCommand = CURL.test(line) && !isContinued;
    if (line.trim() === '' && !isContinued) isOpen = false;
    else if (isOpen && !(isCommand && blocks.at(-1)!.lines.some(isRequestLine))) blocks.at(-1)!.lines.push(line);
    else {
      blocks.push({ line: index + 1, lines: [line] });
      isOpen = true;
    }
    isContinued = line.trimEnd().endsWith('\\');
  }
  return blocks.filter(({ lines }) => lines.some(isRequestLine));
}

const CURL = /^\s*(?:\$\s*)?curl(?:\s|$)/;

function isRequestLine(line: string): boolean {
  return !line.trimStart().startsWith('#');
}

interface Described {
  readonly request: { method?: string; url?: string; protocol?: string; headers: Record<string, string[]> };
  readonly facts: Readonly<Record<string, string>>;
}

/** What a comment may say about a request. */
const FACTS = ['from', 'country', 'time', 'tls', 'status'];

function describe(block: Block): Described {
  const facts: Record<string, string> = {};
  const rest: string[] = [];
  for (const [index, line] of block.lines.entries()) {
    const [, name, value] = /^\s*#\s*(\w+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && FACTS.includes(name.toLowerCase())) facts[name.toLowerCase()] = value!;
    else if (name !== undefined) {
      const known = FACTS.map(one => `\`# ${one}:\``).join(', ');
      throw at(block.line + index, `expected one of ${known}, found \`# ${name}:\``);
    } else if (!line.trimStart().startsWith('#')) rest.push(line);
  }
  const [first = ''] = rest;
  if (CURL.test(first)) return { request: curlRequest(rest.join('\n'), block.line), facts };
  return { request: rawRequest(rest, block.line), facts };
}

function at(line: number, message: string): RequestError {
  return new RequestError(`line ${line}: ${message}`);
}

/** Reads `GET https://example.com/ HTTP/1.1` with headers below, or a URL alone. */
function rawRequest(lines: readonly string[], line: number): Described['request'] {
  const [first = '', ...rest] = lines;
  const words = first.trim().split(/\s+/);
  const isAlone = words.length === 1;
  const [method, url, protocol] = isAlone ? ['GET', words[0]!, undefined] : words;
  if (words.length > 3 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(method!) || !/^(?:https?:\/\/|\/)/i.test(url!))
    throw at(
      line,
      `expected a curl command, or a request such as \`GET https://example.com/\`, found \`${shorten(first)}\``,
    );
  const headers: Record<string, string[]> = {};
  for (const [index, header] of rest.entries()) addHeader(headers, header, line + index + 1);
  const [host] = headers.host ?? [];
  const isLocated = url!.startsWith('/') && host !== undefined && isAuthority(host);
  const absolute = isLocated ? `https://${host}${url}` : url!;
  return { method: method!, url: absolute, ...(protocol !== undefined && { protocol }), headers };
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function addHeader(headers: Record<string, string[]>, text: string, line: number): void {
  const [, name, value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:;|:\s*(.*?))\s*$/s.exec(text) ?? [];
  if (name === undefined) throw at(line, `expected a header such as \`Accept: */*\`, found \`${shorten(text)}\``);
  const key = name.toLowerCase();
  headers[key] = [...(Object.hasOwn(headers, key) ? headers[key]! : []), value];
}

/** Options of curl with a value that does not change what a policy sees. */
const IGNORED_WITH_VALUE = new Set([
  ...[
    '-o',
    '--output',
    '-m',
    '--max-time',
    '--connect-timeout',
    '--retry',
    '-w',
    '--write-out',
    '--cacert',
    '-E',
    '--cert',
  ],
  ...['--key', '-x', '--proxy', '--resolve', '--limit-rate', '-c', '--cookie-jar', '--interface', '--connect-to'],
]);

/** Reads a curl command. Options that do not change the request are ignored. */
function curlRequest(text: string, line: number): Described['request'] {
  const [, ...words] = wordsOf(text.replace(/^\s*\$\s*/, ''), line);
  const headers: Record<string, string[]> = {};
  const state: CurlState = { headers, data: [] };
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (!word.startsWith('-') || word === '-') {
      state.url ??= /^[a-z][a-z\d+.-]*:/i.test(word) || word.startsWith('/') ? word : `http://${word}`;
      continue;
    }
    const [option, joined] = optionOf(word);
    if (!TAKES_VALUE.test(option) && !IGNORED_WITH_VALUE.has(option)) {
      setFlag(state, option);
      continue;
    }
    const value = joined ?? words[++index];
    if (value === undefined) throw at(line, `expected a value after \`${option}\``);
    setOption(state, option, { value, line });
  }
  return requestOf(state, line);
}

interface CurlState {
  url?: string;
  method?: string;
  protocol?: string;
  isHead?: true;
  isQuery?: true;
  readonly headers: Record<string, string[]>;
  readonly data: string[];
}

const TAKES_VALUE =
  /^(?:-[XHdAebuF]|--(?:request|header|data|data-raw|data-binary|data-ascii|data-urlencode|json|user-agent|referer|cookie|user|form|url))$/;

/** Splits `-XPOST` and `--request=POST`. Flags of one letter may be joined: `-sSL`. */
function optionOf(word: string): readonly [option: string, value: string | undefined] {
  const equals = /^(--[\w-]+)=(.*)$/s.exec(word);
  if (equals) return [equals[1]!, equals[2]!];
  const short = /^(-[XHdAebuFomwxEc])(.+)$/s.exec(word);
  return short ? [short[1]!, short[2]!] : [word, undefined];
}

function setFlag(state: CurlState, option: string): void {
  if (option === '-I' || option === '--head') state.isHead = true;
  else if (option === '-G' || option === '--get') state.isQuery = true;
  else if (option === '--http1.0' || option === '-0') state.protocol = 'HTTP/1.0';
  else if (option === '--http1.1') state.protocol = 'HTTP/1.1';
  else if (option === '--http2' || option === '--http2-prior-knowledge') state.protocol = 'HTTP/2.0';
  else if (option === '--http3') state.protocol = 'HTTP/3.0';
  else if (option === '--compressed') state.headers['accept-encoding'] ??= ['gzip, deflate, br'];
}

function setOption(state: CurlState, option: string, { value, line }: { value: string; line: number }): void {
  const { headers, data } = state;
  if (option === '-X' || option === '--request') state.method = value;
  else if (option === '-H' || option === '--header') {
    // curl does not send a header without a value.
    if (!/^[^:;]+:\s*$/.test(value)) addHeader(headers, value, line);
  } else if (option === '--url') state.url = value;
  else if (option === '-A' || option === '--user-agent') headers['user-agent'] = [value];
  else if (option === '-e' || option === '--referer') headers.referer = [value];
  else if (option === '-b' || option === '--cookie') headers.cookie = [value];
  else if (option === '-u' || option === '--user')
    headers.authorization = [`Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`];
  else if (option === '-F' || option === '--form') {
    headers['content-type'] ??= ['multipart/form-data'];
    state.method ??= 'POST';
  } else if (/^(?:-d|--data|--json)/.test(option)) {
    data.push(value);
    if (option === '--json') {
      headers['content-type'] ??= ['application/json'];
      headers.accept ??= ['application/json'];
    }
  }
}

function requestOf(
  { url, method, protocol, isHead, isQuery, headers, data }: CurlState,
  line: number,
): Described['request'] {
  if (url === undefined) throw at(line, 'expected a URL in the curl command');
  const body = data.join('&');
  const hasBody = data.length > 0 && !isQuery;
  if (hasBody) {
    headers['content-type'] ??= ['application/x-www-form-urlencoded'];
    headers['content-length'] ??= [String(new TextEncoder().encode(body).length)];
  }
  // What curl sends if nothing else is said.
  headers['user-agent'] ??= ['curl/8.5.0'];
  headers.accept ??= ['*/*'];
  const query = isQuery && data.length > 0 ? `${url.includes('?') ? '&' : '?'}${body}` : '';
  return {
    method: method ?? (isHead ? 'HEAD' : hasBody ? 'POST' : 'GET'),
    url: `${url}${query}`,
    ...(protocol !== undefined && { protocol }),
    headers,
  };
}

/** Splits a command as a POSIX shell does, without expansions. */
function wordsOf(text: string, line: number): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === '\\') {
      const next = text[++index];
      if (next !== '\n' && next !== undefined) word = (word ?? '') + next;
    } else if (char === "'" || char === '"') {
      const isEscaped = char === "'" && text[index - 1] === '$';
      const end = quoteEnd(text, index, isEscaped);
      if (end < 0) throw at(line, `expected a closing ${char}`);
      const inner = text.slice(index + 1, end);
      const before = isEscaped ? (word ?? '').slice(0, -1) : (word ?? '');
      word =
        before +
        (char === '"'
          ? inner.replaceAll(/\\([\\"$`\n])/g, '$1')
          : isEscaped
            ? inner.replaceAll(/\\(.)/g, unescaped)
            : inner);
      index = end;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  return word === undefined ? words : [...words, word];
}

function quoteEnd(text: string, start: number, isEscaped: boolean): number {
  const quote = text[start]!;
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\' && (quote === '"' || isEscaped)) index++;
    else if (text[index] === quote) return index;
  }
  return -1;
}

function unescaped(_: string, char: string): string {
  return { n: '\n', t: '\t', r: '\r' }[char] ?? char;
}

function exchangeOf({ request, facts }: Described, { line }: Block, number: number): Exchange {
  const { method, url, protocol, headers } = request;
  const { from, country, time, tls, status } = facts;
  if (from !== undefined && ipVersion(from) === 0)
    throw at(line, `expected an IP address after \`# from:\`, found \`${from}\``);
  if (time !== undefined && Number.isNaN(Date.parse(time)))
    throw at(line, `expected a time such as \`2026-11-24T09:00:00Z\`, found \`${time}\``);
  if (status !== undefined && !/^[1-9]\d\d$/.test(status))
    throw at(line, `expected a status such as \`404\`, found \`${status}\``);
  if (tls !== undefined && !/^1\.[0-3]$/.test(tls))
    throw at(line, `expected a TLS version such as \`1.3\`, found \`${tls}\``);
  if (!url!.startsWith('/') && !(URL.canParse(url!) && /^https?:/i.test(url!)))
    throw at(line, `expected a URL such as \`https://example.com/a\`, found \`${shorten(url!)}\``);
  const host = url!.startsWith('/') ? undefined : new URL(url!).host;
  const sent = host === undefined || Object.hasOwn(headers, 'host') ? headers : { host: [host], ...headers };
  return testExchange(
    {
      ...(time !== undefined && { now: new Date(time).toISOString() }),
      connection: {
        ...(from !== undefined && { client_ip: from }),
        ...(country !== undefined && { geo: { country_code: country.toUpperCase() } }),
        ...(tls !== undefined && { tls: { version: `TLS 1.${tls.slice(2)}` } }),
      },
      request: {
        ...(method && { method }),
        url: url!,
        headers: sent,
        no_other_headers: true,
        ...(protocol && { protocol }),
      },
      ...(status !== undefined && { response: { status: Number(status), no_other_headers: true } }),
    },
    { file: 'requests', number, unit: 'entry' },
  );
}
