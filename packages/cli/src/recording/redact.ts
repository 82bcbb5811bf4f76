// Replaces what may be personal or secret in recorded exchanges.

import type { Exchange, HeaderFacts, HeaderField } from '@tollgate/traffic';

// Nobody can list the places where credentials occur. So the question is not what is secret, but what is known not to be: words of the policy
// and common words stay, everything else becomes a stand-in of the same shape, which most conditions treat as they treat the original.

/** What to replace before an exchange is written to a file. */
export interface Redactions {
  /** Lower-case names of headers and query parameters of whose values nothing stays. */
  readonly named: ReadonlySet<string>;
  /** Lower-case names of headers and query parameters to keep. */
  readonly kept: ReadonlySet<string>;
  /** Whether to replace the addresses of clients. */
  readonly clients: boolean;
  /** Lower-case words of the policy: it is written next to the tests anyway. */
  readonly policyWords: ReadonlySet<string>;
}

/** Returns the lower-case words of a text, in which escapes of JSON, CEL and RE2 separate words. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .replace(/\\+(?:u[0-9a-f]{4}|[a-z])/gi, ' ')
      .toLowerCase()
      .match(WORDS),
  );
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns a function that returns an exchange without credentials: of each value only words of the policy, common words and short numbers stay. Letters become `x`,
 * digits `0`; punctuation, and so the structure of URLs and cookies, stays. User information in URLs is removed.
 */
export function createRedactor(redactions: Redactions): (exchange: Exchange) => Exchange {
  const redactor = new Redactor(redactions);
  return exchange => redacted(exchange, redactor);
}

function redacted(exchange: Exchange, redactor: Redactor): Exchange {
  const { place, time, clientIp, geo, connection, tls, method, url, target, protocol, response } = exchange;
  // Field by field: in some recordings they are accessors, which a spread would lose.
  return {
    place,
    time,
    geo,
    connection,
    protocol,
    tls: {
      ...tls,
      cipherSuite: optional(tls.cipherSuite, one => redactor.value(one)),
      serverName: optional(tls.serverName, one => redactor.host(one)),
    },
    method: optional(method, one => redactor.name(one)),
    clientIp: optional(clientIp, one => redactor.address(one)),
    url: optional(url, one => redactor.url(one)),
    scheme: exchange.scheme,
    hostName: optional(exchange.hostName, one => redactor.host(one)),
    target: optional(target, one => redactor.url(one)),
    requestHeaders: redactor.headers(exchange.requestHeaders),
    response: response && {
      status: response.status,
      headers: redactor.headers(response.headers),
      bodySize: response.bodySize,
    },
  };
}

function optional<T>(value: T | undefined, change: (value: T) => T): T | undefined {
  return value === undefined ? undefined : change(value);
}

/** Which numbers stay: a longer one may be a code or an account. */
const DIGITS = { value: 2, name: 4 } as const;

/** A word as people write it. Encoded bytes look otherwise. */
const PLAIN_WORD = /^(?:\p{Lu}?\p{Ll}+(?:\p{Lu}\p{Ll}{2,})?|\p{Lu}{1,4}|v\d{1,3})$/u;

/** Numbers that make up one long number. Digits of percent encoding are none. */
const NUMBERS = /(?<!%)(?<!%[0-9a-f])\d+(?:(?:%[0-9a-f]{2}|[^\p{L}\p{M}\d%])+\d+)+/giu;
const MAX_DIGITS = 6;

function withoutLongNumbers(text: string): string {
  return text.replace(NUMBERS, number => {
    const zeros = number.replace(/(%[0-9a-f]{2})|\d/gi, (_, byte?: string) => byte ?? '0');
    return zeros.replace(/%[0-9a-f]{2}|[^0]/gi, '').length > MAX_DIGITS ? zeros : number;
  });
}

/** A name of at least this length stays only if all of its words are known. */
const LONG = 12;

/** Replaces parts of an exchange. */
class Redactor {
  readonly #redactions: Redactions;
  /** Finds words of the policy inside of other words, as `bot` in `Googlebot`; undefined if it has none. */
  readonly #parts: RegExp | undefined;

  constructor(redactions: Redactions) {
    this.#redactions = redactions;
    const parts = [...redactions.policyWords].filter(word => word.length >= 3).sort((a, b) => b.length - a.length);
    this.#parts = parts.length > 0 ? new RegExp(parts.join('|'), 'giu') : undefined;
  }

  headers({ fields, complete, absent, withheld, unclear, mayBeComplete }: HeaderFacts): HeaderFacts {
    const open = new Map([...(unclear ?? [])].filter(([name]) => this.#isKnownName(name)));
    return {
      fields: fields.map(field => this.#field(field)),
      complete,
      absent: absent.filter(name => this.#isKnownName(name)),
      withheld,
      ...(open.size > 0 && { unclear: open }),
      ...(mayBeComplete !== undefined && { mayBeComplete }),
    };
  }

  #field({ name, value }: HeaderField): HeaderField {
    const key = name.toLowerCase();
    const shown = this.name(name);
    if (this.#redactions.kept.has(key)) return { name, value };
    if (this.#redactions.named.has(key)) return { name: shown, value: standIn(value) };
    if (key === 'cookie' || key === 'set-cookie') return { name: shown, value: this.#pairs(value, ';') };
    if (key === 'host' || key === 'x-forwarded-host') return { name: shown, value: this.host(value) };
    if (key === 'referer' || key === 'location' || key === 'origin') return { name: shown, value: this.url(value) };
    if (ADDRESS_HEADERS.has(key)) return { name: shown, value: this.#addresses(value) };
    return { name: shown, value: HARMLESS_HEADERS.has(key) ? this.name(value) : this.value(value) };
  }

  /** A URL or a request target. */
  url(text: string): string {
    const [whole = '', ...fragment] = text.split('#');
    const [before = '', ...query] = whole.split('?');
    const {
      1: start = '',
      2: authority = '',
      3: path = '',
    } = /^((?:[^/]*:)?\/\/)?((?<=\/\/)[^/]*)?(.*)$/s.exec(before)!;
    return [
      this.name(start),
      this.host(authority.slice(authority.lastIndexOf('@') + 1)),
      path
        .split('/')
        .map(segment => this.#segment(segment))
        .join('/'),
      ...query.map(one => `?${this.#pairs(one, '&')}`),
      ...fragment.map(one => `#${this.#pairs(one, '&')}`),
    ].join('');
  }

  /** A host, of which each label is a name. */
  host(text: string): string {
    if (ADDRESS.test(text)) return this.address(text);
    return withoutLongNumbers(text)
      .split('.')
      .map(label => this.name(label))
      .join('.');
  }

  /** A segment of a path, which may have matrix parameters. */
  #segment(segment: string): string {
    const [name = '', ...parameters] = segment.split(';');
    return [this.name(name), ...parameters.map(one => this.#pairs(one, '&'))].join(';');
  }

  /** Pairs of a name and a value; what has no `=` may be a value. */
  #pairs(text: string, separator: string): string {
    return text
      .split(separator)
      .map(pair => {
        const at = pair.indexOf('=');
        if (at < 0) return this.value(pair);
        const name = pair.slice(0, at);
        const key = name.trim().toLowerCase();
        if (this.#redactions.kept.has(key)) return pair;
        const value = pair.slice(at + 1);
        return `${this.name(name)}=${this.#redactions.named.has(key) ? standIn(value) : this.value(value)}`;
      })
      .join(separator);
  }

  #addresses(value: string): string {
    return value
      .split(',')
      .map(one => this.address(one))
      .join(',');
  }

  /** An address; what is none is a value. */
  address(text: string): string {
    const address = text.trim();
    if (!ADDRESS.test(address)) return this.value(text);
    return this.#redactions.clients ? text.replace(address, placeholderOf(address)) : text;
  }

  /** A name, or a value that is known to be harmless: short words stay as well. */
  name(text: string): string {
    const isShort = text.length < LONG;
    return this.#replace(text, word => {
      if (this.#isNumber(word, DIGITS.name)) return true;
      return isShort && PLAIN_WORD.test(word);
    });
  }

  /** Any other value. */
  value(text: string): string {
    return this.#replace(text, word => this.#isNumber(word, DIGITS.value));
  }

  #isNumber(word: string, digits: number): boolean {
    return word.length <= digits && /^\d+$/.test(word);
  }

  #isKnownName(name: string): boolean {
    return this.name(name) === name;
  }

  #replace(text: string, isKept: (word: string) => boolean): string {
    return withoutLongNumbers(text).replace(TOKENS, token => {
      if (token.startsWith('%')) return standInForBytes(token);
      const word = token.toLowerCase();
      if (this.#redactions.policyWords.has(word) || HARMLESS_WORDS.has(word) || isKept(token)) return token;
      return this.#standIn(token);
    });
  }

  /** A stand-in with the words of the policy in it. */
  #standIn(word: string): string {
    const parts = this.#parts;
    if (!parts) return standIn(word);
    let text = '';
    let end = 0;
    for (const { 0: part, index } of word.matchAll(parts)) {
      text += standIn(word.slice(end, index)) + part;
      end = index + part.length;
    }
    return text + standIn(word.slice(end));
  }
}

/** Words, and runs of bytes in percent encoding, which may hide words. */
const TOKENS = /(?:%[0-9a-f]{2})+|[\p{L}\p{M}\p{N}]+/giu;

function standIn(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}\p{M}]/gu, one => (one === 'X' ? 'X' : 'x'))
    .replace(/\p{N}/gu, '0');
}

/** Encoded punctuation stays, encoded letters and digits become stand-ins. */
function standInForBytes(encoded: string): string {
  return encoded.replace(/%([0-9a-f]{2})/gi, (byte, hex: string) => {
    const code = Number.parseInt(hex, 16);
    if (code >= 0x80) return '%78';
    const character = String.fromCharCode(code);
    const replaced = standIn(character);
    return replaced === character && !/[xX0]/.test(character) ? byte : `%${replaced.charCodeAt(0).toString(16)}`;
  });
}

/** Headers with addresses of clients and proxies. */
const ADDRESS_HEADERS: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'fastly-client-ip',
  'true-client-ip',
  'x-client-ip',
  'x-forwarded-for',
  'x-real-ip',
]);

const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:.*:)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d{1,3}(?:\.\d{1,3}){3})?)$/i;

/** Addresses for documentation (RFC 5737, RFC 3849). */
function placeholderOf(address: string): string {
  return address.includes(':') ? '2001:db8::1' : '192.0.2.1';
}

// Words and headers that reveal nothing about anybody. Extend them where that makes recorded tests easier to read; `redact.test.ts` shows that
// secrets do not get through.

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Lower-case names of headers with values of a small vocabulary, of which short words and numbers stay. */
const HARMLESS_HEADERS: ReadonlySet<string> = words(`
  accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials access-control-allow-headers
  access-control-allow-methods access-control-max-age access-control-request-headers access-control-request-method age allow cache-control
  connection content-encoding content-language content-length content-type date dnt expect expires if-modified-since keep-alive last-modified
  max-forwards origin-agent-cluster pragma priority range referrer-policy retry-after save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform
  sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-websocket-version server strict-transport-security te trailer
  transfer-encoding upgrade upgrade-insecure-requests user-agent vary via x-content-type-options x-forwarded-port
  x-forwarded-proto x-frame-options x-requested-with x-xss-protection
`);

/** Lower-case words that stay wherever they are. */
const HARMLESS_WORDS: ReadonlySet<string> = words(`
  access account action admin age agent allow amp android any api app apple applewebkit application archive article asc assets attachment audio
  auth authorization base64 basic bearer bingbot blog body boundary br brotli browser bytes cache callback cart category charset chrome
  chromium chunked client clients close cms code compatible compress config connecting connection content control cookie copy cors count cpu
  create credentials cross csrf css curl csv data date default deflate delete desc dest details device digest dir dns do document domain download
  duckduckbot edit edg edge edgios email embed empty encoding en de es fr it ja nl pl pt ru zh error event events expect expires export expires
  facebookexternalhit false favicon feed fetch file files filter firefox font form format forwarded frame from fxios gecko get git go googlebot
  graphql group gzip headers head health healthz hook hooks hostname hosts html http https httponly hsts i18n ico id identity image images img
  import index indexof info insecure intel invite iphone ipad item items javascript jpeg jpg jquery js json jsonp keep keyword keywords khtml kit
  lang language last lax length library like limit linux list live locale location log login logout lookup mac macintosh manifest map master
  match max media message messages metadata method metrics mime mobile mode modified month mozilla multipart name navigate negotiate new news
  next no nocache none nosniff not notfound null number octet off offset ok old on open opera options opr order orders origin os package page
  pages params partial password patch path payload pdf php ping plain platform plugins png policy port post preview private product products
  profile propfind protocol proxy public put python python3 query range ready redirect referer referrer refresh register reload remember report
  request requested requests reset resource resources response rest retry return review reviews robots root rss safari samesite same save
  schema scheme script search sec secure security self send server service session set settings shop shop sign signup site sitemap size slug
  slurp sort source spider src start state static status status stream strict style styles stylesheet sub subscribe summary svg tab tag tags
  target te temp template test text theme time title to token topic trace track tracking trailers transfer transport true ttf type ua undefined
  unsafe update upgrade upload uploads uri url urlencoded user users utf utf8 utm value values verify version versions via video view wait web
  webhook webhooks webp websocket wget wheel widget win64 win windows woff woff2 wow64 wp www x x64 x86 xhtml xml xmlhttprequest yes zip zstd
  campaign medium includes json5 nt kde ubuntu debian fedora x11 u msie trident rv
  mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec gmt utc
  aes aes128 aes256 cbc ccm chacha20 dhe ecdhe ecdsa gcm poly1305 rsa sha sha256 sha384 ssl tls with
  connect localhost com org net example q
  amz amzn cdn cert cf country for ip keys key original ray real samlrequest samlresponse tls
`);
