/** Log formats in the syntax of Apache: `"%h %l %u %t \"%r\" %>s %b"`. */
import {
  LogFormatError,
  type LogText,
  type LogVariable,
  type ParsedFormat,
  placeIn,
  readQuoted,
  type Shape,
  type VariableFact,
} from './log-variable.ts';

/** Apache directives that describe an exchange. Not among them: `%v`, a name from the configuration whatever the client requested. */
export const APACHE_DIRECTIVES: Readonly<Record<string, VariableFact>> = {
  a: ['word', 'client'],
  h: ['word', 'client'],
  r: ['text', 'request'],
  A: ['word', 'server-ip'],
  m: ['word', 'method'],
  U: ['text', 'decoded-path'],
  q: ['text', 'query'],
  H: ['word', 'protocol'],
  V: ['word', 'host-name'],
  t: ['bracketed-time', 'time'],
  s: ['number', 'status'],
  b: ['number', 'size'],
  B: ['number', 'size'],
};

/** Directives with an argument in braces: ports, variables of mod_ssl and of the environment. */
export const APACHE_ARGUMENTS: Readonly<Record<string, VariableFact>> = {
  '{remote}p': ['number', 'client-port'],
  '{local}p': ['number', 'server-port'],
  '{SSL_PROTOCOL}x': ['word', 'tls-version'],
  '{SSL_CIPHER}x': ['word', 'tls-cipher'],
  '{SSL_TLS_SNI}x': ['word', 'server-name'],
  '{HTTPS}x': ['word', 'https'],
  '{HTTPS}e': ['word', 'https'],
  '{REQUEST_SCHEME}e': ['word', 'scheme'],
};

/** Other directives whose values contain no space, which helps to find their end. */
const WORDS = 'kpPDTIOSXL';

const DIRECTIVE = /%(!?\d{3}(?:,\d{3})*)?([<>])?(\{[^}]*\})?(\^[A-Za-z]{2}|[A-Za-z%])/y;

/** Parses a format of Apache's mod_log_config, or a whole `LogFormat` directive. */
export function parseApacheFormat(written: string): ParsedFormat {
  const directive = /^\s*(?:LogFormat|CustomLog\s+\S+)\s+/i.exec(written);
  const format = directive === null ? written : (readQuoted(written.slice(directive[0].length))[0] ?? '');
  return { server: 'Apache', parts: partsOf(unescapeFormat(format)), escape: 'backslash', missing: '-' };
}

/** A format may be copied from the configuration, with quotes. */
function unescapeFormat(format: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
  return format.replace(/\\(["\\nt])/g, (_, letter: string) => letters[letter] ?? letter);
}

function partsOf(format: string): ParsedFormat['parts'] {
  const parts: (LogVariable | LogText)[] = [];
  const addText = (text: string) => {
    const last = parts.at(-1);
    if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text };
    else if (text !== '') parts.push({ kind: 'text', text });
  };
  let at = 0;
  for (let sign = format.indexOf('%'); sign >= 0; sign = format.indexOf('%', at)) {
    addText(format.slice(at, sign));
    DIRECTIVE.lastIndex = sign;
    const match = DIRECTIVE.exec(format);
    if (match === null) throw new LogFormatError(`\`${format.slice(sign, sign + 12)}\` is not a log format directive`);
    if (match[4] === '%') addText('%');
    else parts.push(directiveOf(match));
    at = DIRECTIVE.lastIndex;
  }
  addText(format.slice(at));
  return parts;
}

function directiveOf([written, condition, which, argument, letter = '']: RegExpExecArray): LogVariable {
  const variable = { kind: 'variable', written, ...(condition !== undefined && { conditional: true }) } as const;
  if (argument !== undefined) return { ...variable, ...withArgument(argument, letter) };
  // Without `>`, the status is that before internal redirects, which the client never saw.
  const known = letter === 's' && which !== '>' ? undefined : APACHE_DIRECTIVES[letter];
  if (known !== undefined) return { ...variable, shape: known[0], slot: known[1] };
  return { ...variable, shape: letter === 's' || WORDS.includes(letter) ? 'word' : 'text' };
}

function withArgument(argument: string, letter: string): Pick<LogVariable, 'shape' | 'slot' | 'header'> {
  const name = argument.slice(1, -1);
  if (letter === 'i') return { shape: 'text', header: { message: 'request', name } };
  if (letter === 'o') return { shape: 'text', header: { message: 'response', name } };
  if (letter === 't') return timeOf(name);
  const fact = APACHE_ARGUMENTS[argument + letter];
  if (fact !== undefined) return { shape: fact[0], slot: fact[1] };
  const place = letter === 'e' ? placeIn(name) : undefined;
  if (place !== undefined) return { shape: 'text', slot: place };
  return { shape: 'aDTp'.includes(letter) ? 'word' : 'text' };
}

/** `%{…}t`: a unit of time, or a strftime pattern. The end of a request is not its time. */
function timeOf(name: string): { readonly shape: Shape; readonly slot?: 'time' } {
  const pattern = name.replace(/^begin:/, '');
  if (/^(?:end:|[mu]sec_frac$)/.test(pattern)) return { shape: 'text' };
  if (/^(?:sec|msec|usec|%s)$/.test(pattern)) return { shape: 'number', slot: 'time' };
  const isDate = /^(?:%Y-%m-%d|%F)[T ](?:%H:%M:%S|%T)(?:%z|Z)$|^%d\/%b\/%Y:(?:%H:%M:%S|%T) %z$/.test(pattern);
  return isDate ? { shape: pattern.includes(' ') ? 'text' : 'word', slot: 'time' } : { shape: 'text' };
}
