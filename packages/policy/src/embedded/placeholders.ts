import { lineStart, type Range } from '@tollgate/diagnostics';
import { type MappedText, PieceCollector } from '../document/scalar-text.ts';

/** The template languages whose placeholders can be treated as unknown values. */
export const TEMPLATE_KINDS = ['envsubst', 'helm', 'jinja', 'go'] as const;

/** A template language. `helm` is Go templates with the functions of Helm. */
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/** A text with stand-ins for its placeholders, each mapped to what it replaces. */
interface MaskedText {
  readonly text: MappedText;
  /** By the number in the stand-in. */
  readonly placeholders: readonly string[];
}

/** Actions in strings of Go templates end at the first `}}` outside of quotes. */
const GO = /\{\{(?:"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])*'|\/\*[\s\S]*?\*\/|(?!\}\})[^"`'])*\}\}/g;
const JINJA = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
/** Names only: an expression of Tollgate such as `${req.url}` has a dot or a call, and is not replaced by `envsubst`. */
const ENVSUBST = /\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*(?::?[-=?+][^}\r\n]*)?\}/g;

/**
 * What readers of documentation are to fill in: `$YOUR_IP`, `<COUNTRY-01>`, `<your-domain>`, `{your issuer url}`, `YOUR_DOMAIN`, and whole values
 * such as `ALLOWED_ADDRESS_RANGE` and `"allowed addresses here"`. Nothing that a policy may contain: maps, repetitions, named groups and tags of HTML look different.
 */
const PROSE =
  /\$\{?[A-Z][A-Z\d_]+\b\}?|(?<!\?)<(?:[A-Z][A-Z\d_ -]+|[A-Z]\w*(?: \w+)+|(?:your|my|the|insert|enter)\b[\w .-]*)>|(?<!\$)\{(?:[A-Z][A-Z_]+[A-Z\d_ -]*|(?:your|my|the|insert|enter)\b[\w .-]*)\}|(?<=[:[-][ \t]*["'])[A-Za-z][A-Za-z ]* here\b[A-Za-z\d ()]*(?=["'])|\bYOUR[_-][A-Z\d_-]*[A-Z\d]\b|\b(?=[A-Z])(?<=(?:[:[-]|^)[ \t]*["']?)[A-Z]+(?:_[A-Z\d]+)+(?=["']?[ \t]*(?:,[ \t]*)?[\]}]?$)/gm;

const PATTERNS: Readonly<Record<TemplateKind | 'prose', RegExp>> = {
  envsubst: ENVSUBST,
  helm: GO,
  jinja: JINJA,
  go: GO,
  prose: PROSE,
};

const HELM =
  /\{\{-?\s*(?:\/\*|if |with |range |end\b|include |template |define |\(?[a-zA-Z]* ?\.(?:Values|Release|Chart|Capabilities)\b)/;

/** Returns the template language of a file without settings: Helm is recognized by its objects and control structures. */
export function detectTemplate(text: string): TemplateKind | undefined {
  return text.includes('{{') && HELM.test(text) ? 'helm' : undefined;
}

/**
 * Returns a text with a stand-in for each placeholder of the languages, and with blank lines for lines that have only control structures or
 * included text. Where placeholders overlap, the outer one is replaced. Undefined if there is nothing to replace.
 */
export function maskTemplate(text: string, kinds: readonly (TemplateKind | 'prose')[]): MaskedText | undefined {
  const found = placeholdersIn(text, kinds);
  if (found.length === 0) return undefined;
  const collector = new PieceCollector();
  const placeholders: string[] = [];
  let at = 0;
  for (const [index, { start, end, isByName }] of found.entries()) {
    collector.add(text.slice(at, start), at, start);
    const whole = text.slice(start, end);
    if (!isByName && (CONTROL.test(whole) || isAlone(text, { start, end }, found[index + 1]?.start))) {
      collector.add(whole.replace(/[^\r\n]/g, ' '), start, end);
    } else {
      collector.add(standIn('t', placeholders.length), start, end);
      placeholders.push(whole);
    }
    at = end;
  }
  collector.add(text.slice(at), at, text.length);
  const { text: value, pieces } = collector;
  return { text: { value, pieces, range: { start: 0, end: text.length } }, placeholders };
}

interface Placeholder extends Range {
  /** It stands for a value, never for lines. */
  readonly isByName: boolean;
}

function placeholdersIn(text: string, kinds: readonly (TemplateKind | 'prose')[]): readonly Placeholder[] {
  const found = kinds.flatMap(kind => {
    const isByName = kind === 'envsubst' || kind === 'prose';
    // After the last closing brace, each opening one would be followed to the end of the text.
    const searched = isByName ? text : text.slice(0, text.lastIndexOf('}') + 1);
    return Array.from(searched.matchAll(PATTERNS[kind]), ({ index, 0: whole }) => ({
      start: index,
      end: index + whole.length,
      isByName,
    }));
  });
  if (kinds.length === 1) return found;
  let covered = 0;
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isOuter = start >= covered;
      if (isOuter) covered = end;
      return isOuter;
    });
}

const CONTROL =
  /^\{[{%]-?\s*(?:if|else|elif|end\w*|range|with|for|define|block|template|set|macro|import|extends|\$\w+\s*:?=|\/\*)(?![\w.])|^\{#|^\{\{-?\s*\/\*/;

/** Returns true if there is nothing else on the lines of a placeholder, so that it stands for whole lines. */
function isAlone(text: string, { start, end }: { readonly start: number; readonly end: number }, next = -1): boolean {
  const before = text.slice(lineStart(text, start), start);
  const lineEnd = text.indexOf('\n', end);
  const after = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
  return (
    before.trim() === '' &&
    (after.trim() === '' || (next >= end && next < end + after.length && after.trim().startsWith('{{')))
  );
}

/** What a stand-in replaces: a placeholder of a template engine, or a template in a Terraform string. */
type PlaceholderOrigin = 't' | 'h';

/** Stand-ins look like a field of this variable, so that they are names in YAML as well as in CEL. */
export const STAND_IN_VARIABLE = 'placeholder_';

const STAND_IN = /\bplaceholder_\.([th])(\d+)_/g;

/** Returns a name that stands for an unknown value. Each placeholder has its own, so that no two seem to be equal. */
export function standIn(origin: PlaceholderOrigin, index: number): string {
  return `${STAND_IN_VARIABLE}.${origin}${index}_`;
}

/** Returns a text with the stand-ins of one origin replaced by what they stand for. */
export function withPlaceholders(text: string, origin: PlaceholderOrigin, placeholders: readonly string[]): string {
  return text.replace(STAND_IN, (whole, kind: string, index: string) =>
    kind === origin ? (placeholders[Number(index)] ?? whole) : whole,
  );
}

/** Returns true if a text contains stand-ins. */
export function hasStandIns(text: string): boolean {
  return text.includes(`${STAND_IN_VARIABLE}.`);
}

/** Returns the ranges of the stand-ins in a text. */
export function standInRanges(text: string): readonly Range[] {
  return Array.from(text.matchAll(STAND_IN), ({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
}
