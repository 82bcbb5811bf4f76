import type { EmbeddedPolicy, TextStyle } from './embedded-policy.ts';
import { findInDocument, innerSource, type SearchContext } from './find-in-document.ts';
import {
  addTemplate,
  type HclExpression,
  quotedText,
  readAttributes,
  TemplateCollector,
  type TemplateText,
} from './hcl.ts';
import { hasStandIns } from './placeholders.ts';
import { mentionsPhase } from './recognition.ts';

/**
 * Returns the policies in a Terraform file: in heredocs, strings and objects, also in the arguments of functions such as
 * `jsonencode` and `yamlencode`. What Terraform computes is unknown.
 */
export function findInTerraform(context: SearchContext): readonly EmbeddedPolicy[] {
  return readAttributes(context.source.text).flatMap(({ path, value }) =>
    search(context, value, [...context.path.steps, ...path]),
  );
}

function search(
  context: SearchContext,
  expression: HclExpression,
  steps: readonly string[],
): readonly EmbeddedPolicy[] {
  const { text } = context.source;
  const { start, end } = expression.range;
  switch (expression.kind) {
    case 'string':
      return searchText(context, 'hcl-string', quotedText(text, start, end), steps);
    case 'heredoc':
      return searchText(context, 'heredoc', expression.heredoc, steps);
    case 'object': {
      const found = searchText(context, 'hcl-object', objectText(text, expression), steps);
      if (found.length > 0) return found;
      return expression.entries.flatMap(({ key, value }) => search(context, value, [...steps, key ?? '*']));
    }
    case 'list':
      return expression.items.flatMap((item, index) => search(context, item, [...steps, String(index)]));
    case 'call': {
      const isSingle = expression.items.length === 1;
      return expression.items.flatMap((item, index) =>
        search(context, item, isSingle ? steps : [...steps, String(index)]),
      );
    }
    case 'literal':
    case 'other':
      return [];
  }
}

function searchText(
  context: SearchContext,
  style: TextStyle,
  { text, placeholders }: TemplateText,
  steps: readonly string[],
): readonly EmbeddedPolicy[] {
  if (!mentionsPhase(text.value)) return [];
  const path = { document: context.path.document, steps };
  const layers = [{ style, text, outer: context.source.text, placeholders }, ...context.layers];
  const source = innerSource(context.file, path, text.value);
  return findInDocument({ ...context, format: 'terraform', path, layers, source });
}

/**
 * Returns an object as YAML: the same characters, with `:` for `=`, commas between entries, and stand-ins for what Terraform computes. HCL
 * strings have the escapes of YAML.
 */
function objectText(source: string, object: HclExpression): TemplateText {
  const writer = new ObjectWriter(source);
  writer.write(object);
  return writer.collector.finish(object.range.start, object.range.end);
}

class ObjectWriter {
  readonly collector = new TemplateCollector();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  write(expression: HclExpression): void {
    const { start, end } = expression.range;
    if (expression.kind === 'object') this.#writeObject(expression);
    else if (expression.kind === 'list') this.#writeList(expression);
    else if (expression.kind === 'string') this.#writeString(start, end);
    else if (expression.kind === 'literal') this.#copy(start, end);
    else if (expression.kind === 'heredoc') this.#writeHeredoc(expression);
    else this.collector.addUnknown(this.#source, start, start + this.#source.slice(start, end).trimEnd().length);
  }

  #writeObject({ range, entries }: Extract<HclExpression, { kind: 'object' }>): void {
    let at = this.#copy(range.start, range.start + 1);
    for (const [index, { key, keyRange, equals, value }] of entries.entries()) {
      at = this.#space(at, keyRange.start);
      if (key === undefined) this.collector.addUnknown(this.#source, keyRange.start, keyRange.end);
      else this.#copy(keyRange.start, keyRange.end);
      this.#space(keyRange.end, equals);
      this.collector.pieces.add(':', equals, equals + 1);
      if (value.range.start === equals + 1) this.collector.pieces.add(' ', equals + 1, equals + 1);
      this.#space(equals + 1, value.range.start);
      this.write(value);
      at = this.#separate(value.range.end, entries[index + 1]?.keyRange.start);
    }
    this.#space(at, range.end - 1);
    this.#copy(range.end - 1, range.end);
  }

  #writeList({ range, items }: Extract<HclExpression, { kind: 'list' }>): void {
    let at = this.#copy(range.start, range.start + 1);
    for (const [index, item] of items.entries()) {
      this.#space(at, item.range.start);
      this.write(item);
      at = this.#separate(item.range.end, items[index + 1]?.range.start);
    }
    this.#space(at, range.end - 1);
    this.#copy(range.end - 1, range.end);
  }

  /** Writes a comma before the next value if the source has none, and returns where to continue. */
  #separate(end: number, next: number | undefined): number {
    if (next !== undefined && !withoutComments(this.#source.slice(end, next)).includes(','))
      this.collector.pieces.add(',', end, end);
    return end;
  }

  /** Copies white space and commas; comments begin with `#` in YAML. */
  #space(start: number, end: number): number {
    const text = withoutComments(this.#source.slice(start, end), true);
    this.collector.pieces.add(text, start, end);
    return end;
  }

  #copy(start: number, end: number): number {
    this.collector.pieces.add(this.#source.slice(start, end), start, end);
    return end;
  }

  #writeString(start: number, end: number): void {
    this.#copy(start, start + 1);
    for (let at = start + 1; at < end - 1; ) {
      const next = addTemplate(this.#source, at, this.collector);
      at = next ?? this.#copy(at, at + (this.#source[at] === '\\' ? 2 : 1));
    }
    this.#copy(end - 1, end);
  }

  #writeHeredoc({ range, heredoc }: Extract<HclExpression, { kind: 'heredoc' }>): void {
    const { pieces, value } = heredoc.text;
    this.collector.pieces.add('"', range.start, range.start);
    for (const { from, to, range: place } of pieces) {
      const isCopied = to - from === place.end - place.start;
      if (isCopied)
        for (let at = from; at < to; at += 1)
          this.collector.pieces.add(
            escaped(value.slice(at, at + 1)),
            place.start + at - from,
            place.start + at - from + 1,
          );
      else if (hasStandIns(value.slice(from, to))) this.collector.addUnknown(this.#source, place.start, place.end);
      else this.collector.pieces.add(escaped(value.slice(from, to)), place.start, place.end);
    }
    this.collector.pieces.add('"', range.end, range.end);
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*/g;

/** Returns the text without comments, or with comments as YAML writes them; its length stays the same. */
function withoutComments(text: string, isKept = false): string {
  return text.replace(COMMENT, comment => {
    if (!isKept || comment.startsWith('/*')) return comment.replace(/[^\r\n]/g, ' ');
    return comment.startsWith('//') ? ` #${comment.slice(2)}` : comment;
  });
}
