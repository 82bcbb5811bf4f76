import { parseDocument } from 'yaml';

/** A character that is typed or deleted, and the pause after it in ms. */
export interface Keystroke {
  readonly edit: { readonly line: number; readonly character: number; readonly deleted: number; readonly text: string };
  /** Where the cursor is then. */
  readonly position: { readonly line: number; readonly character: number };
  readonly pause: number;
}

const RULES = 2000;
const LINES_PER_RULE = 7;

const rule = (index: number) => `  - name: rule number ${index}
    expressions:
      - req.url.path.startsWith('/p${index}/') && conn.client_ip != '10.0.${index >> 8}.${index & 255}'
    actions:
      - type: custom-response
        config:
          status_code: ${400 + (index % 20)}
`;

/** The policy before the session. */
export const LONG_POLICY = `on_http_request:\n${Array.from({ length: RULES }, (_, index) => rule(index)).join('')}`;

/** What is typed, in which rule, and on a new line below which line of it. The last change of each is to delete all of it. */
const TYPED: readonly { readonly rule: number; readonly below: number; readonly text: string }[] = [
  { rule: 211, below: 2, text: '      - \'req.method == "GET"\'' },
  { rule: 1404, below: 2, text: '      - "req.url.path == \'/x\'"' },
  { rule: 977, below: 2, text: '      - req.headers["x-a"][0] == "b"' },
  { rule: 1650, below: 6, text: '  - name: new' },
  { rule: 42, below: 6, text: '          content: "hello ${req.url.path}"' },
  { rule: 1201, below: 3, text: '      - type: log' },
];

/** Pauses between characters: most are short; a thought now and then lets lint rules begin. */
const PAUSES = [70, 90, 60, 160, 110, 80, 240, 70, 90, 450, 60, 100];

/** A line begins with its indentation, which editors insert. */
function typing({ rule: index, below, text }: (typeof TYPED)[number]): readonly Keystroke[] {
  const line = 1 + index * LINES_PER_RULE + below + 1;
  const indentation = /^ */.exec(text)![0].length;
  const keys: Keystroke[] = [
    { ...keyAt(line, 0, `${' '.repeat(indentation)}\n`), position: { line, character: indentation } },
  ];
  for (let at = indentation; at < text.length; at += 1) keys.push(keyAt(line, at, text[at]!));
  const edit = { line, character: 0, deleted: 1, text: '' };
  return [...keys, { edit, position: { line, character: 0 }, pause: PAUSES[0]! }];
}

function keyAt(line: number, character: number, text: string): Keystroke {
  const edit = { line, character, deleted: 0, text };
  return { edit, position: { line, character: character + 1 }, pause: PAUSES[(line + character) % PAUSES.length]! };
}

/** The keystrokes, which leave the policy as it was. */
export const SESSION: readonly Keystroke[] = TYPED.flatMap(typing);

/** Number of keystrokes for the first line. */
export const FIRST_LINE = typing(TYPED[0]!).length;

/** Returns the policy after a keystroke. */
export function stateAfter(last: number): string {
  const lines = LONG_POLICY.split('\n');
  for (const { edit } of SESSION.slice(0, last + 1)) {
    const { line, character, deleted, text } = edit;
    const before = lines[line] ?? '';
    if (deleted > 0) lines.splice(line, deleted);
    else if (text.endsWith('\n')) lines.splice(line, 0, text.slice(0, -1));
    else lines[line] = before.slice(0, character) + text + before.slice(character);
  }
  return lines.join('\n');
}

/** Returns true if a YAML parser finds errors in the policy. */
export function isBroken(text: string): boolean {
  return parseDocument(text).errors.length > 0;
}
