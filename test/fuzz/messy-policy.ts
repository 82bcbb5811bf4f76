import fc from 'fast-check';
import { stringify } from 'yaml';

/** A policy as it might have been written by many hands. */
interface MessyPolicy {
  readonly text: string;
  /** Those of YAML, in their order. */
  readonly comments: readonly string[];
}

const CONDITIONS = [
  "req.Method=='GET'",
  'req.Method == "POST" || req.Path.startsWith("/it\'s/") && hasReqHeader("X-A")',
  "!(req.Path in ['/a','/b' , '/c: d', '/e #f']) && (req.ContentLength > 10*1024)",
  "req.URL.matches('^https?://[a-z]+\\\\.example') ? conn.ClientIP != '10.0.0.1' : true",
  "getReqHeader('User-Agent').exists(agent, agent.contains('bot') || agent.contains('crawl') || agent == '')",
  "conn.Geo.CountryCode in ['DE','NL','BE','LU','FR','AT','CH','DK','SE','NO','FI','ES','PT','IT','GR','PL','CZ','SK']",
  '// all of it\nreq.Path == "/x" && // the path\n  req.Method == "GET"\n',
  "req.Path == '/y' &&\n\n  req.Method ==// odd\n 'GET'",
  'true\n',
  'req.Path ==',
  'req.Pth == 3',
  "'''a\n  b''' == req.Path",
];

const TEXTS = [
  ...[
    'plain',
    'two words',
    '',
    ' ',
    'true',
    'no',
    '1',
    '0x1f',
    '1_000',
    '1:30',
    '2024-01-01',
    '~',
    '::1',
    '10.0.0.0/8',
  ],
  ...[
    "it's",
    'say "x"',
    `both ' and "`,
    'back\\slash',
    'a: b',
    'a #b',
    '#c',
    '- d',
    '-e',
    '? f',
    '*g',
    '&h',
    '!i',
    '@j',
    '%k',
  ],
  ...['[l]', '{m}', 'n, o', ' lead', 'trail ', 'a\tb', '\tc', 'é😀', 'x\u0007y', '\ufeffz', '\u2028', 'q:', '<<', '='],
  ...[
    'line\n',
    'two\nlines',
    'two\nlines\n',
    'gap\n\n\nend\n\n',
    '  indented\nback',
    '\nfirst empty',
    'a \nb',
    'a\n \nb',
    'a\n  ',
  ],
  ...[
    '<p>\n  <b>\n\n</p>\n',
    'word '.repeat(40).trim(),
    `${'word '.repeat(40).trim()}\nand\n\n${'more '.repeat(30).trim()}\n`,
  ],
  ...['x'.repeat(130), 'double  spaces '.repeat(12), '---\na', '\n', '\r\n', '---'],
];

const KEYS = ['headers', 'content', 'X-Key', 'on', '5', 'with space', "it's", 'a: b', '#', 'null', '[k]'];

type Data = null | boolean | number | string | readonly Data[] | { readonly [key: string]: Data };

const text = fc.constantFrom(...TEXTS);
const config: fc.Arbitrary<Data> = fc.letrec<{ value: Data }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom<Data>(null, true, 12, 1.5, -3),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const action = fc.record({
  type: fc.constantFrom('deny', 'log', 'custom-response', 'dney'),
  config: fc.option(fc.dictionary(fc.constantFrom(...KEYS), config, { maxKeys: 3 }), { nil: null }),
});

const rule = fc.record(
  {
    name: text,
    expressions: fc.array(fc.constantFrom(...CONDITIONS), { maxLength: 3 }),
    actions: fc.array(action, { maxLength: 2 }),
    extra: text,
  },
  { requiredKeys: ['actions'] },
);

const policy = fc.record(
  { outbound: fc.array(rule, { maxLength: 2 }), inbound: fc.array(rule, { maxLength: 3 }), enabled: fc.boolean() },
  { requiredKeys: ['inbound'] },
);

/** Policies with and without errors, in all styles of scalars, with comments wherever they may stand. */
export const messyPolicy: fc.Arbitrary<MessyPolicy> = fc.tuple(policy, fc.gen()).map(([data, g]) => {
  const writer = new MessyWriter(g);
  const lines = writer.lines(data, 0);
  const lineBreak = g(fc.constantFrom, '\n', '\n', '\r\n');
  return {
    text: `${[...writer.comment(0), ...lines, ...writer.comment(0)].join(lineBreak)}\n`,
    comments: writer.comments,
  };
});

/** The same policies as JSON. */
export const messyJson: fc.Arbitrary<string> = fc
  .tuple(policy, fc.constantFrom(0, 1, 4, '\t'))
  .map(([data, indentation]) => JSON.stringify(data, undefined, indentation));

class MessyWriter {
  readonly comments: string[] = [];
  readonly #g: fc.GeneratorValue;

  constructor(g: fc.GeneratorValue) {
    this.#g = g;
  }

  /** A value in lines, each with its indentation. */
  lines(value: Data, indentation: number): readonly string[] {
    if (isList(value) && value.length > 0) {
      return this.#slots(value, indentation, item => this.#after(`${' '.repeat(indentation)}-`, item, indentation));
    }
    if (isMap(value) && Object.keys(value).length > 0) {
      const entries = this.#g(shuffled, Object.entries(value));
      return this.#slots(entries, indentation, ([key, item]) =>
        this.#after(`${' '.repeat(indentation)}${this.#key(key)}:`, item, indentation),
      );
    }
    return [`${' '.repeat(indentation)}${JSON.stringify(value)}`];
  }

  /** None, or a line, with or without an empty one. */
  comment(indentation: number): readonly string[] {
    const kind = this.#g(fc.nat, { max: 7 });
    if (kind > 1) return kind === 2 ? [''] : [];
    const lines = [' '.repeat(this.#g(fc.nat, { max: indentation })) + this.#newComment()];
    return kind === 1 ? ['', ...lines, ''] : lines;
  }

  #slots<T>(items: readonly T[], indentation: number, write: (item: T) => readonly string[]): readonly string[] {
    const lines = items.flatMap((item, index) => [...(index > 0 ? this.comment(indentation) : []), ...write(item)]);
    const isFoot = this.#g(fc.nat, { max: 9 }) === 0;
    return isFoot ? [...lines, ' '.repeat(indentation) + this.#newComment()] : lines;
  }

  #after(start: string, value: Data, indentation: number): readonly string[] {
    const isNested = (isList(value) && value.length > 0) || (isMap(value) && Object.keys(value).length > 0);
    if (!isNested) return this.#scalar(start, value, indentation);
    if (this.#g(fc.nat, { max: 4 }) === 0) return this.#flow(start, value, indentation);
    // Lists may stand in the column of their key.
    const least = isList(value) && !start.endsWith('-') ? 0 : 1;
    const lines = this.lines(value, indentation + this.#g(fc.integer, { min: least, max: 4 }));
    if (start.endsWith('-') && this.#g(fc.boolean)) {
      const column = lines[0]!.length - lines[0]!.trimStart().length;
      return [start + lines[0]!.slice(start.length).padStart(column), ...lines.slice(1)];
    }
    return [this.#trailing(start), ...lines];
  }

  #flow(start: string, value: Data, indentation: number): readonly string[] {
    const pad = ' '.repeat(indentation + 1);
    if (this.#g(fc.boolean)) return [this.#trailing(`${start} ${JSON.stringify(value)}`)];
    const [first, ...rest] = JSON.stringify(value, undefined, 1).split('\n');
    return [`${start} ${first}`, ...rest.map(line => this.#trailing(pad + line))];
  }

  #scalar(start: string, value: Data, indentation: number): readonly string[] {
    const defaultStringType = this.#g(fc.constantFrom, ...STYLES);
    const lineWidth = this.#g(fc.constantFrom, 0, 30, 80);
    const written = stringify(
      { k: value },
      { defaultStringType, defaultKeyType: 'PLAIN', lineWidth, minContentWidth: 0 },
    );
    const [first, ...rest] = written.slice(3, -1).split('\n');
    const isQuoted = /^["']/.test(first!);
    // A comment behind the first of several quoted or plain lines would be text, or end it.
    const canHaveComment = rest.length === 0 || (!isQuoted && /^[|>]/.test(first!));
    const line = `${start} ${first}`.trimEnd();
    const pad = ' '.repeat(indentation);
    return [canHaveComment ? this.#trailing(line) : line, ...rest.map(one => (one === '' ? '' : pad + one))];
  }

  #key(key: string): string {
    return this.#g(fc.boolean) ? JSON.stringify(key) : stringify(key, { defaultStringType: 'PLAIN' }).trimEnd();
  }

  #trailing(line: string): string {
    return this.#g(fc.nat, { max: 4 }) === 0 ? `${line} ${this.#newComment()}` : line;
  }

  #newComment(): string {
    const comment = `# comment ${this.comments.length + 1}`;
    this.comments.push(comment);
    return comment;
  }
}

const STYLES = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

function isList(value: Data): value is readonly Data[] {
  return Array.isArray(value);
}

function isMap(value: Data): value is { readonly [key: string]: Data } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
